import { resealAll } from '@sluice/store/reseal'
import type { Config } from '../config.ts'
import { openExisting, openGivenVault } from '../configured.ts'

/** Seals every stored secret under the first master key; 0 when the other keys are no longer needed, else 1. */
export async function rotateKeys(config: Config): Promise<number> {
  const vault = await openGivenVault(config)
  const database = await openExisting(config)
  try {
    let unreadable = 0
    for await (const count of resealAll(database.kysely, vault)) {
      unreadable += count.unreadableCount
      console.log(
        `${count.column.padEnd(26)} ${count.resealed} sealed anew${count.overtaken > 0 ? `, ${count.overtaken} changed meanwhile` : ''}`,
      )
      if (count.unreadableCount > 0) {
        console.log(`${''.padEnd(26)} ${count.unreadableCount} cannot be opened: ${count.unreadable.join(', ')} …`)
      }
    }
    if (unreadable > 0) {
      console.log('\nSome secrets were sealed under a key that is not given here, or were changed. Keep the old keys.')
      return 1
    }
    // What a gateway seals whose first key is still another one, this command does not see.
    console.log(
      `\nEverything stored by now is sealed under key ${vault.keyId}. Once every gateway was started with it as its first key and this has been run since, the others can be removed.`,
    )
    return 0
  } finally {
    await database.close()
  }
}
