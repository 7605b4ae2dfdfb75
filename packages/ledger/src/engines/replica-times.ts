/** How long a dead replica is remembered, so that it learns its fate if it wakes up. */
export const REMEMBER_DEAD_MS = 86_400_000
/** Two beats in a row were missed: whatever kept a replica from the database may have affected the others as well. */
export const KEPT_AWAY_MS = 20_000
