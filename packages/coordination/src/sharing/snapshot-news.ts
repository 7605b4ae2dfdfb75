import type { Valkey } from '../engines/valkey.ts'
import type { VersionWatch } from '../snapshot-versions.ts'

const TOPIC = 'versions'

/**
 * A watch whose `check` makes the other replicas check as well, so that they serve a change after milliseconds instead of seconds.
 * A lost message costs only that time, because every replica also keeps polling.
 */
export function createSharedVersions(
  watch: VersionWatch,
  valkey: Pick<Valkey, 'publish' | 'listen' | 'onListening'>,
  replica: string,
  onError: (error: unknown) => void,
): VersionWatch {
  const look = (): void => {
    watch.check().catch(onError)
  }
  valkey.listen(TOPIC, (by) => {
    if (by !== replica) look()
  })
  valkey.onListening(look)
  return {
    ...watch,
    check: () => {
      valkey.publish(TOPIC, replica)
      return watch.check()
    },
  }
}
