import { resealAll } from '@sluice/store/reseal'
import { openExisting, openGivenVault } from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'

/** Seals every stored secret under the first master key; returns 0 when the other keys are no longer needed, otherwise 1. */
export async function rotateKeys(config: Config): Promise<number> {
  const vault = await openGivenVault(config)
  await using opened = new AsyncDisposableStack()
  const database = await openExisting(config)
  opened.defer(() => database.close())
  let unreadable = 0
  for await (const count of resealAll(database.kysely, vault)) {
    unreadable += count.unreadableCount
    console.log(
      `${count.column.padEnd(26)} ${count.resealed} encrypted again${count.overtaken > 0 ? `, ${count.overtaken} changed in the meantime` : ''}`,
    )
    if (count.unreadableCount > 0) {
      console.log(`${''.padEnd(26)} ${count.unreadableCount} cannot be decrypted: ${count.unreadable.join(', ')} …`)
    }
  }
  if (unreadable > 0) {
    console.log(
      '\nSome secrets were encrypted with a key that is not available here, or were tampered with. Keep the old keys.',
    )
    return 1
  }
  // A running gateway with another first key may still seal secrets that this command does not see.
  console.log(
    `\nEverything stored so far is encrypted with key ${vault.keyId}. Once every gateway has been started with it as its first key and this command has been run again, the others can be removed.`,
  )
  return 0
}
