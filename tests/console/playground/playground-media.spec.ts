import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { createToken } from '@sluice/contract/routes/tokens'
import type { ManagementClient } from '@sluice/testkit/management-client'
import type { Workbench } from '@sluice/testkit/workbench'
import { expect, test } from '../fixtures.ts'
import { hand, png, sizeOf } from '../pictures-of.ts'

/** This name tells the gateway that the model reads pictures. */
const SEEING = 'gpt-4o-media'
const BLIND = 'gpt-3.5-media'

/** With a token of the user's own and one of the two models. */
async function openPlayground(
  page: Page,
  workbench: Workbench,
  api: ManagementClient,
  model = SEEING,
): Promise<string> {
  await workbench.addChannel([SEEING, BLIND])
  const { key } = await api.call(createToken, { body: { name: 'media', unlimited_quota: true } })
  await page.goto(`/chat?model=${model}`)
  await expect(message(page)).toBeEnabled()
  return key
}

const message = (page: Page) => page.getByRole('form').getByRole('textbox')
const strip = (page: Page) => page.getByRole('form').getByRole('list', { name: 'Attached images' })
const tiles = (page: Page) => strip(page).getByRole('button', { name: /^Enlarge / })
const toast = (page: Page, text: string) => page.getByRole('region', { name: 'Notifications' }).getByText(text)

async function choose(page: Page, files: Parameters<Page['setInputFiles']>[1]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach images' }).click()
  await (await chooser).setFiles(files)
}

async function sentImages(page: Page): Promise<readonly string[]> {
  const call = page.waitForRequest('**/v1/chat/completions')
  await page.getByRole('button', { name: 'Send' }).click()
  const body = (await call).postDataJSON() as {
    messages: { content: { type: string; image_url?: { url: string } }[] }[]
  }
  const parts = body.messages.at(-1)?.content ?? []
  return parts.flatMap(({ image_url }) => (image_url === undefined ? [] : [image_url.url]))
}

test(
  'pictures are chosen, pasted and dropped, made smaller, sent with the text and shown enlarged',
  { tag: ['@C1.11', '@C2.50', '@C3.31', '@C9.10'] },
  async ({ userPage: page, user, workbench }) => {
    await openPlayground(page, workbench, user.api)
    await expect(page.getByRole('combobox', { name: 'API token' })).toContainText('media')
    await expect(page.getByRole('combobox', { name: 'Channel' })).toBeVisible()
    await choose(page, [png('wide.png', 2_400, 1_800)])
    await expect(tiles(page)).toHaveCount(1)
    await message(page).focus()
    await hand(page, 'paste', [png('cells.png', 8, 8)], 'a\tb')
    await hand(page, 'paste', [png('pasted.png', 20, 10)])
    await expect(tiles(page)).toHaveCount(2)
    await hand(page, 'drop', [png('dropped.png', 30, 60)])
    await expect(tiles(page)).toHaveCount(3)
    await page.getByRole('button', { name: 'Remove dropped.png' }).click()
    await expect(page.getByRole('button', { name: 'Remove pasted.png' })).toBeFocused()
    await expect(tiles(page)).toHaveCount(2)
    // The strip enlarges the same picture that is sent.
    await tiles(page).first().click()
    const viewer = page.getByRole('dialog', { name: 'Image 1 of 2' })
    await expect(viewer.getByRole('img')).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('dialog', { name: 'Image 2 of 2' })).toBeVisible()
    await page.keyboard.press('Escape')
    const thumbnail = await tiles(page).first().locator('img').getAttribute('src')
    expect(await sizeOf(page, thumbnail ?? '')).toEqual([150, 150])

    await message(page).fill('What is this?')
    const images = await sentImages(page)
    expect(images.map((image) => image.slice(0, 23))).toEqual(Array(2).fill('data:image/jpeg;base64,'))
    expect(await sizeOf(page, images[0] ?? '')).toEqual([1_440, 1_080])
    expect(await sizeOf(page, images[1] ?? '')).toEqual([20, 10])
    await expect(strip(page)).toBeHidden()
    const reply = page.getByRole('article', { name: `Reply from ${SEEING}` })
    await expect(reply).toContainText('water')
    await page.getByRole('button', { name: 'Enlarge image 1' }).click()
    await expect(page.getByRole('dialog', { name: 'Image 1 of 2' })).toBeVisible()
  },
)

test(
  'what breaks a rule is reported and not attached; pictures alone make a question, and can be removed from it',
  { tag: ['@C4.21', '@C5.3', '@C5.4', '@C5.5'] },
  async ({ userPage: page, user, workbench }) => {
    await openPlayground(page, workbench, user.api)
    const small = (name: string) => png(name, 4, 4)
    await choose(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') })
    await expect(toast(page, 'File type is not supported. Please select an image file')).toBeVisible()
    await expect(toast(page, 'notes.txt: JPG, PNG, GIF, WebP, BMP and SVG can be attached.')).toBeVisible()
    await choose(page, { name: 'poster.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) })
    await expect(toast(page, 'poster.png: images are limited to 5 MB.')).toBeVisible()
    await expect(strip(page)).toBeHidden()
    await choose(page, ['1.png', '2.png', '3.png', '4.png', '5.png', '6.png'].map(small))
    await expect(toast(page, 'A message can have at most 5 images. Not attached: 6.png.')).toBeVisible()
    await expect(tiles(page)).toHaveCount(5)
    await choose(page, [small('7.png')])
    await expect(toast(page, 'A message can have at most 5 images. Not attached: 7.png.')).toBeVisible()
    // A question may consist of pictures alone.
    expect(await sentImages(page)).toHaveLength(5)

    await page.getByRole('article', { name: 'Your question' }).getByRole('button', { name: 'Edit message' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit message' })
    const save = dialog.getByRole('button', { name: 'Save', exact: true })
    await expect(save).toBeDisabled()
    await dialog
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click()
    await expect(save).toBeEnabled()
    await save.click()
    const question = page.getByRole('article', { name: 'Your question' })
    await expect(question.getByRole('button', { name: /^Enlarge / })).toHaveCount(4)
  },
)

test(
  'a picture that cannot be made smaller in time is sent as it is; what is not a picture is not sent',
  { tag: '@C8.4' },
  async ({ userPage: page, user, workbench }) => {
    await page.clock.install()
    await openPlayground(page, workbench, user.api)
    await page.route('**/reduce-worker-*.js', () => new Promise(() => {}))
    const picture = png('slow.png', 4, 4)
    await choose(page, [picture])
    const waiting = strip(page).getByRole('button', { name: 'Preparing slow.png' })
    await expect(waiting).toBeVisible()
    await message(page).fill('Look.')
    await expect(page.getByRole('button', { name: 'Send' })).toHaveAttribute('aria-disabled', 'true')
    await page.clock.fastForward(15_000)
    await expect(waiting).toBeVisible()
    await page.clock.fastForward(15_000)
    await expect(toast(page, 'Image Processing Failed')).toBeVisible()
    await expect(tiles(page)).toHaveCount(1)
    await page.setViewportSize({ width: 390, height: 844 })
    await choose(page, [picture])
    await expect(waiting).toBeVisible()
    await page.clock.fastForward(15_000)
    await expect(toast(page, 'Mobile Processing Failed')).toBeVisible()
    await expect(tiles(page)).toHaveCount(2)

    // Without workers the page does it, and only the page can read drawings.
    await page.unroute('**/reduce-worker-*.js')
    await page.route('**/reduce-worker-*.js', (route) => route.abort())
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="500"><rect width="9" height="9"/></svg>'
    await choose(page, [
      png('page.png', 10, 20),
      { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) },
      { name: 'text.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') },
    ])
    await expect(toast(page, 'All Processing Methods Failed')).toBeVisible()
    await expect(tiles(page)).toHaveCount(4)
    const images = await sentImages(page)
    expect(images[0]).toBe(`data:image/png;base64,${picture.buffer.toString('base64')}`)
    expect(await sizeOf(page, images[2] ?? '')).toEqual([10, 20])
    expect(await sizeOf(page, images[3] ?? '')).toEqual([1_200, 300])
  },
)

test('pictures are for models that read them; the others say so', async ({ userPage: page, user, workbench }) => {
  await openPlayground(page, workbench, user.api)
  await choose(page, [png('a.png', 4, 4)])
  const model = page.getByRole('combobox', { name: 'Model' })
  await model.fill(BLIND)
  await page.getByRole('option', { name: BLIND }).click()
  await expect(page.getByRole('form').getByText(`${BLIND} cannot read images. Choose another model`)).toBeVisible()
  await page.getByRole('button', { name: 'Remove a.png' }).click()
  await expect(message(page)).toBeFocused()
  const attach = page.getByRole('button', { name: 'Attach images' })
  await expect(attach).toHaveAttribute('aria-disabled', 'true')
  await expect(attach).toHaveAccessibleDescription(`${BLIND} cannot read images.`)
  await hand(page, 'drop', [png('a.png', 4, 4)])
  await expect(toast(page, `${BLIND} cannot read images.`)).toBeVisible()
  await expect(strip(page)).toBeHidden()
})

test(
  'a conversation is exported as a file that names its digest, and imported again',
  { tag: '@C2.55' },
  async ({ userPage: page, user, workbench }) => {
    await openPlayground(page, workbench, user.api)
    await choose(page, [png('a.png', 4, 4)])
    await message(page).fill('Tell me / about: locks')
    await sentImages(page)
    await expect(page.getByRole('button', { name: 'Regenerate' })).toBeEnabled()
    await page.getByRole('button', { name: 'Export conversation' }).click()
    const dialog = page.getByRole('dialog', { name: 'Export conversation' })
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save file' }).click()
    const file = await download
    const content = await readFile(await file.path())
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', content)).toString('hex')
    expect(file.suggestedFilename()).toBe(`tell-me-about-locks-${digest.slice(0, 16)}.json`)
    const exported = JSON.parse(content.toString()) as { createdBy: string; messages: { role: string }[] }
    expect(exported.createdBy).toBe(user.username)
    expect(exported.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])

    const bring = async (name: string, buffer: Buffer) => {
      const chooser = page.waitForEvent('filechooser')
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('Import conversation')
      await page.keyboard.press('Enter')
      await (await chooser).setFiles({ name, mimeType: 'application/json', buffer })
    }
    await page.getByRole('button', { name: 'New conversation', exact: true }).last().click()
    await expect(page.getByText('Tell me / about: locks')).toBeHidden()
    await bring(file.suggestedFilename(), content)
    await expect(toast(page, 'Conversation imported')).toBeVisible()
    await expect(toast(page, '2 messages')).toBeVisible()
    const question = page.getByRole('article', { name: 'Your question' })
    await expect(question).toContainText('Tell me / about: locks')
    await expect(question.getByRole('button', { name: 'Enlarge image 1' })).toBeVisible()

    await bring(file.suggestedFilename(), Buffer.from(content.toString().replace('locks', 'gates')))
    await expect(toast(page, 'The file was changed after it was exported.')).toBeVisible()
    await expect(question).toContainText('Tell me / about: gates')
    await bring('notes.json', Buffer.from('{"messages":[{"role":"tool","content":"a"}]}'))
    await expect(
      toast(page, 'notes.json does not contain a valid conversation: messages.0.role is missing or wrong.'),
    ).toBeVisible()
  },
)

test('the request is shown as a program that runs; the key is masked until the user asks for it', async ({
  userPage: page,
  user,
  workbench,
  address,
}) => {
  const key = await openPlayground(page, workbench, user.api)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await choose(page, [png('a.png', 64, 64)])
  await message(page).fill("What's in it?")
  await page.getByRole('button', { name: 'View as code' }).click()
  const dialog = page.getByRole('dialog', { name: 'View as code' })
  const program = dialog.getByRole('tabpanel')
  await expect(program).toContainText(`curl -N ${address}/v1/chat/completions`)
  await expect(program).toContainText('data:image/jpeg;base64,')
  await expect(program).not.toContainText(key)
  await dialog.getByRole('tab', { name: 'JavaScript' }).click()
  await dialog.getByRole('button', { name: 'Copy code' }).click()
  const text = await page.evaluate(() => navigator.clipboard.readText())
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', text])
  await expect(program).not.toContainText(key)
  await dialog.getByRole('checkbox', { name: 'Show key' }).check()
  await expect(program).toContainText(key)
  await page.keyboard.press('Escape')
  await sentImages(page)
  // The provider receives the same from the program as from the playground.
  const received = () => workbench.emulator.journal.calls.filter(({ body }) => body.includes("What's in it?"))
  await expect.poll(() => received().length).toBe(2)
  const [fromProgram, fromPlayground] = received().map(({ body }) => JSON.parse(body) as unknown)
  expect(fromProgram).toEqual(fromPlayground)
})
