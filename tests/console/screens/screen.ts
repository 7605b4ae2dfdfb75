import type { Page } from '@playwright/test'
import type { ManagementClient } from '@sluice/testkit/management-client'
import type { Workbench } from '@sluice/testkit/workbench'

/** A state of the console. Every one is checked in both themes and at all widths, and has its picture taken. */
export interface Screen {
  /** Title of the screen's test and name of its pictures, in kebab-case. */
  readonly name: string
  /** The route as the router names it: `/tokens/edit/$id`. Only the page of unknown addresses has none. */
  readonly route?: string
  readonly as: 'visitor' | 'user' | 'root'
  /** Needs an account without history, whose pictures show what `prepare` made, not the demo's month. */
  readonly alone?: true
  /** Creates what the screen shows, through the API. Names and models are unique, because other tests share the gateway. */
  readonly prepare?: (bench: Workbench, api: ManagementClient) => Promise<void>
  readonly show: (page: Page) => Promise<void>
}
