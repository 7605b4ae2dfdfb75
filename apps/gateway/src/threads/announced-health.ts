import type { Cooldown, Health } from '@sluice/routing/health'

/** Receives what this process learns about lanes from elsewhere: other replicas, its administrators, its threads. */
export interface HealthListener {
  adopt(cooldown: Cooldown, cooldownMs: number | undefined): void
  forget(channel: number): void
}

/** Health whose adopted cooldowns and forgotten channels go to listeners as well. */
export interface AnnouncedHealth extends Health {
  readonly listeners: Set<HealthListener>
}

export function createAnnouncedHealth(health: Health): AnnouncedHealth {
  const listeners = new Set<HealthListener>()
  return {
    ...health,
    listeners,
    adopt: (cooldown, cooldownMs) => {
      health.adopt(cooldown, cooldownMs)
      for (const listener of listeners) listener.adopt(cooldown, cooldownMs)
    },
    forget: (channel) => {
      health.forget(channel)
      for (const listener of listeners) listener.forget(channel)
    },
  }
}
