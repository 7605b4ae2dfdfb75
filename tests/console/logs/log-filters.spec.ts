import { searchUsers } from '@sluice/contract/routes/users'
import { callModels } from '../charged-calls.ts'
import { expect, test } from '../fixtures.ts'
import { filterLine, listCalls, rows } from './log-screen.ts'

test.describe('typed filters', () => {
  test('become chips, by keyboard and mouse, and are removed again', async ({ userPage: page, user, workbench }) => {
    await callModels(workbench, user.api, 'my own', ['emu-n-tokens-61', 'emu-n-tokens-62'])
    await callModels(workbench, user.api, 'web', ['emu-n-tokens-61'])
    await page.goto('/logs')
    await expect(rows(page)).toHaveCount(4)
    await page.keyboard.press('f')
    await expect(filterLine(page)).toBeFocused()
    await page.keyboard.type('mod')
    await page.getByRole('option', { name: 'model: model name' }).click()
    await page.keyboard.type('emu-n-tokens-6')
    await expect(page.getByRole('option', { name: 'model:emu-n-tokens-62' })).toBeVisible()
    await page.keyboard.type('1 token:my')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(rows(page)).toHaveCount(1)
    await expect(page).toHaveURL(/model=emu-n-tokens-61&token=my(\+|%20)own$/)
    await expect(filterLine(page)).toHaveValue('')
    await page.getByRole('button', { name: 'Remove filter Token my own' }).click()
    await expect(rows(page)).toHaveCount(2)
    await expect(filterLine(page)).toBeFocused()
    await page.keyboard.press('Backspace')
    await expect(rows(page)).toHaveCount(4)
    await expect(page).toHaveURL(/\/logs$/)
  })

  test('name what cannot be applied, and treat other words as a search', async ({
    userPage: page,
    user,
    workbench,
  }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-63'])
    await page.goto('/logs')
    // A user without permission to request users would be signed out for trying.
    let requests = 0
    page.on('request', (request) => (requests += request.url().includes('/api/user/search') ? 1 : 0))
    await filterLine(page).fill('user:root last:24h')
    await page.keyboard.press('Enter')
    await expect(page.getByText('“user:root” is not a filter that can be used here.')).toBeVisible()
    await expect(filterLine(page)).toHaveValue('user:root')
    await expect(page.getByRole('button', { name: /^Remove filter Time/ })).toBeVisible()
    await filterLine(page).fill('emu-n-tokens-63')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Rows that match “emu-n-tokens-63”. Other filters do not apply.')).toBeVisible()
    await expect(rows(page)).toHaveCount(1)
    expect(requests).toBe(0)
  })

  test('are suggested from what the gateway knows', { tag: '@B7.7' }, async ({ rootPage: page, user, workbench }) => {
    await workbench.addChannel(['emu-n-tokens-64'])
    await page.goto('/logs?model=none')
    const suggested = async (line: string, path: string, option: string) => {
      const request = page.waitForRequest((request) => new URL(request.url()).pathname === path)
      await filterLine(page).fill(line)
      expect(new URL((await request).url()).searchParams.get('keyword')).toBe(line.split(':')[1])
      await expect(page.getByRole('option', { name: option }).first()).toBeVisible()
    }
    await suggested('model:tokens-64', '/api/models/display', 'model:emu-n-tokens-64')
    await callModels(workbench, workbench.root, 'suggested one', ['emu-n-tokens-64'])
    await suggested('token:sugg', '/api/token/search', 'token:"suggested one"')
    await suggested(`user:${user.username}`, '/api/user/search', `user:${user.username}`)
    expect(await workbench.root.call(searchUsers, { query: { keyword: user.username } })).toHaveLength(1)
    await suggested('channel:emul', '/api/channel/search', 'emulator')
    const groups = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/group/')
    await page.goto('/channels/add')
    await groups
  })
})

test.describe('saved views', () => {
  test('are saved, shown again with their columns, and deleted, which can be undone', async ({ userPage: page }) => {
    await page.goto('/logs?type=3&size=20&sort=quota')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Request ID' }).check()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save view…' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Name is required')).toBeVisible()
    await page.getByLabel('Name').fill('Acts')
    await page.keyboard.press('Enter')
    await expect(page.getByText('View “Acts” saved')).toBeVisible()
    await page.goto('/logs?model=none')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Request ID' }).uncheck()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitemradio', { name: 'Acts' }).click()
    await expect(page).toHaveURL(/\/logs\?size=20&sort=quota&type=3$/)
    await expect(page.getByRole('columnheader', { name: 'Request ID' })).toBeVisible()
    await page.getByRole('button', { name: 'Acts' }).click()
    await page.getByRole('menuitem', { name: 'Delete “Acts”' }).click()
    await expect(page.getByRole('button', { name: 'Views' })).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('button', { name: 'Acts' })).toBeVisible()
  })
})

test.describe('the histogram', () => {
  test('selects a time by keyboard and mouse and has a table behind it', async ({
    userPage: page,
    user,
    workbench,
  }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-65', 'emu-n-tokens-66'])
    const request = page.waitForRequest('**/api/log/self/histogram?*')
    await page.goto('/logs')
    await request
    const plot = page.getByRole('slider', { name: 'Logs over time' })
    await expect(page.getByText(/^3 logs · \$/)).toBeVisible()
    await page.getByRole('button', { name: 'Show as a table' }).click()
    const table = page.getByRole('table', { name: 'Logs over time' })
    await expect(table.getByRole('row')).toHaveCount(2)
    await expect(table.getByRole('row').last()).toContainText('3')
    await page.getByRole('button', { name: 'Show as a chart' }).click()
    await plot.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+ArrowRight')
    await expect(plot).toHaveAttribute('aria-valuetext', /^Selected .+: 0 logs/)
    const calls = listCalls(page)
    await page.keyboard.press('Enter')
    await expect(page.getByText('No logs found.', { exact: false })).toBeVisible()
    await expect(page).toHaveURL(/start=\d+&end=\d+/)
    const [query] = calls.map((call) => call.query)
    // Two ranges of two hours, the first cut off by the window.
    const seconds = Number(query?.get('end_timestamp')) - Number(query?.get('start_timestamp'))
    expect(seconds).toBeGreaterThanOrEqual(7_199)
    expect(seconds).toBeLessThan(14_400)
    await page.getByRole('button', { name: /^Remove filter Time/ }).click()
    await expect(rows(page)).toHaveCount(3)
    const box = await plot.boundingBox()
    if (box === null) throw new Error('the plot is not there')
    await page.mouse.move(box.x + box.width * 0.6, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 1, box.y + 20, { steps: 4 })
    await page.mouse.up()
    await expect(page).toHaveURL(/start=\d+&end=\d+/)
    await expect(rows(page)).toHaveCount(3)
    await page.getByRole('button', { name: 'Cost' }).click()
    await expect(page.getByRole('slider', { name: 'Cost over time' })).toBeVisible()
    await expect(page).toHaveURL(/chart=cost/)
    await page.getByRole('button', { name: 'Off' }).click()
    await expect(page.getByRole('slider')).toHaveCount(0)
  })

  test('keeps its place while it loads and says when it cannot', async ({ userPage: page }) => {
    await page.route('**/api/log/self/histogram?*', (route) =>
      route.fulfill({ status: 500, json: { success: false, message: '' } }),
    )
    await page.goto('/logs')
    await expect(page.getByText('The chart could not be loaded.')).toBeVisible()
    await expect(rows(page)).toHaveCount(1)
  })
})
