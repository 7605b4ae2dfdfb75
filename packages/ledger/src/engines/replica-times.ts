/** How long a dead replica is remembered, so that it learns its fate should it wake up. */
export const REMEMBER_DEAD_MS = 86_400_000
/** Two beats in a row were missed: what kept a replica from the database may have kept the others as well. */
export const KEPT_AWAY_MS = 20_000
