import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { signIn } from '@sluice/testkit/management-client'
import { DEMO_PASSWORD } from '../../../tools/demo/cast.ts'
import { SCREENS } from '../screens/all.ts'
import { test } from './demo-fixtures.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Pictures that documents show are replaced in place; the others are not committed. */
function placeOf(picture: string): string {
  const shown = join(ROOT, 'docs/pictures', picture)
  return existsSync(shown) ? shown : join(ROOT, 'reports/pictures', picture)
}

/** Encodes in the page, because WebP is a third of PNG, and the browser is here anyway. */
async function webpOf(page: Page, png: Buffer): Promise<Buffer> {
  const url = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 })
    return [...new Uint8Array(await blob.arrayBuffer())]
  }, png.toString('base64'))
  return Buffer.from(url)
}

for (const screen of SCREENS) {
  test(screen.name, async ({ page, workbench, user, enter }, info) => {
    const demo = () => signIn(workbench.gateway.url, 'alice', DEMO_PASSWORD)
    const api = screen.as === 'root' ? workbench.root : screen.alone === true ? user.api : await demo()
    await screen.prepare?.(workbench, api)
    if (screen.as !== 'visitor') await enter(api)
    await screen.show(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const file = placeOf(`${info.project.name}-${colorScheme}/${screen.name}.webp`)
      await mkdir(dirname(file), { recursive: true })
      // The console learns of the other scheme by an event; a picture in between shows half of each.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      await writeFile(file, await webpOf(page, await page.screenshot({ animations: 'disabled' })))
    }
  })
}
