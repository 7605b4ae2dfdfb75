import type { Page } from '@playwright/test'
import type { ManagementClient } from '@sluice/testkit/management-client'
import type { Workbench } from '@sluice/testkit/workbench'

/** A state of the console: every one is checked in both themes and at all widths, and has its picture taken. */
export interface Screen {
  /** Title of its test and name of its pictures: kebab-case. */
  readonly name: string
  /** The route that it shows, as the router names it: `/tokens/edit/$id`. Only the page of unknown addresses has none. */
  readonly route?: string
  readonly as: 'visitor' | 'user' | 'root'
  /** Needs an account without a past: its pictures show what `prepare` made, not the demo's month. */
  readonly alone?: true
  /** Creates what the screen shows, through the API, with unique names and models because other tests share the gateway. */
  readonly prepare?: (bench: Workbench, api: ManagementClient) => Promise<void>
  /** Goes there and waits for its content; opens what should be open. */
  readonly show: (page: Page) => Promise<void>
}
