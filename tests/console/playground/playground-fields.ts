import type { Locator, Page } from '@playwright/test'
import { createToken } from '@sluice/contract/routes/tokens'
import type { ManagementClient } from '@sluice/testkit/management-client'

/** May spend what the user has. */
export const token = (api: ManagementClient, name: string, models: string | null = null) =>
  api.call(createToken, { body: { name, models, unlimited_quota: true } })

/** The sidebar's fields; the lists under them have the same names. */
export function setup(page: Page) {
  const field = (role: 'combobox' | 'slider' | 'textbox' | 'switch', name: string) =>
    page.getByRole(role, { name, exact: true })
  return {
    token: field('combobox', 'API token'),
    channel: field('combobox', 'Channel'),
    model: field('combobox', 'Model'),
    second: field('combobox', 'Second model'),
    effort: field('combobox', 'Reasoning effort'),
    slider: (name: string) => field('slider', name),
    number: (name: string) => field('textbox', name),
    system: field('textbox', 'System message'),
    thinking: field('switch', 'Thinking'),
    reasoning: field('switch', 'Show reasoning'),
    message: field('textbox', 'Message'),
  }
}

/** Each suggestion has a name and a second line. */
export const suggestions = (page: Page, list: string) => page.getByRole('listbox', { name: list }).getByRole('option')
export const options = (select: Locator) => select.getByRole('option').allTextContents()
