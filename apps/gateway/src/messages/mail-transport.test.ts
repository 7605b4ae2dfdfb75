import { readOptions } from '@sluice/store/options/options'
import { expect, test } from 'vitest'
import { mailTransport } from './mail-transport.ts'

const transport = (settings: Record<string, string>) =>
  mailTransport(readOptions(new Map(Object.entries(settings)), (sealed) => sealed).options)

const SMTP = { SMTPServer: 'mail.example.com', SMTPAccount: 'house@example.com', SMTPToken: 'secret' }
const RESEND = { ResendAPIKey: 'key', SMTPFrom: 'house@example.com' }

test('an empty provider takes SMTP when it is set up, otherwise Resend', () => {
  expect(transport({ ...SMTP, ...RESEND })).toMatchObject({ by: 'smtp', host: 'mail.example.com', port: 587 })
  expect(transport(RESEND)).toMatchObject({ by: 'resend', key: 'key' })
  expect(transport({})).toBeUndefined()
})

test('a named provider is used, or none', () => {
  expect(transport({ ...SMTP, ...RESEND, EmailProvider: 'resend' })).toMatchObject({ by: 'resend' })
  expect(transport({ ...SMTP, EmailProvider: 'resend' })).toBeUndefined()
  expect(transport({ ...RESEND, EmailProvider: 'smtp' })).toBeUndefined()
})

test('the sender is SMTPFrom or the account, under its own name or the system’s', () => {
  expect(transport(SMTP)?.from).toEqual({ name: 'Sluice', address: 'house@example.com' })
  expect(transport({ ...SMTP, SMTPFrom: 'Our House <post@example.com>' })?.from).toEqual({
    name: 'Our House',
    address: 'post@example.com',
  })
  expect(transport({ ...SMTP, SMTPAccount: 'mailer' })).toBeUndefined()
  expect(transport({ ...SMTP, SystemName: 'a\r\nBcc: eve <eve@example.com>' })?.from.name).not.toMatch(/[\r\n<>]/)
})

test('TLS from the first byte on its own ports, or where smtps:// asks for it', () => {
  expect(transport(SMTP)).toMatchObject({ implicitTls: false })
  expect(transport({ ...SMTP, SMTPPort: '465' })).toMatchObject({ implicitTls: true, host: 'mail.example.com' })
  expect(transport({ ...SMTP, SMTPServer: 'smtps://mail.example.com', SMTPPort: '8025' })).toMatchObject({
    implicitTls: true,
    host: 'mail.example.com',
  })
})

test('TLS is required unless a setting says otherwise', () => {
  expect(transport(SMTP)).toMatchObject({ security: 'require' })
  expect(transport({ ...SMTP, SMTPTransportSecurity: 'when_offered' })).toMatchObject({ security: 'when_offered' })
})
