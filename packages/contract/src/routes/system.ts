import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { systemStatus } from '../status.ts'

export const status = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/status',
  access: 'public',
  summary: 'Public settings',
  data: systemStatus,
})
export const notice = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/notice',
  access: 'public',
  summary: 'Notice text',
  data: v.string(),
})
export const about = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/about',
  access: 'public',
  summary: 'About page: text, HTML or an https address',
  data: v.string(),
})
export const homePageContent = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/home_page_content',
  access: 'public',
  summary: 'Home page: markdown, HTML or an https address',
  data: v.string(),
})
