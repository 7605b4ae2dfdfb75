import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { en } from '../texts/sign-in-texts.ts'
import { appCode, disablingCode, grouped } from './totp-dialogs.tsx'

const messageOf = (result: v.SafeParseResult<v.GenericSchema>) => result.issues?.[0]?.message

describe('TOTP', () => {
  it.each(['', '12345', '1234567', '12345a', '１２３４５６'])(
    'code %j is not valid',
    { tags: ['B5.22', 'B9.8'] },
    (code) => {
      expect(messageOf(v.safeParse(appCode(en), code))).toBe('Enter a valid 6-digit code')
    },
  )

  it('code has six digits, however they are grouped', { tags: ['B5.22', 'B9.8'] }, () => {
    for (const code of ['012345', '012 345', ' 012345 ']) expect(v.parse(appCode(en), code)).toBe('012345')
  })

  it('is not disabled without a code, but can be with a recovery code', { tags: ['B4.9', 'B5.22'] }, () => {
    expect(messageOf(v.safeParse(disablingCode(en), ' '))).toBe('Please enter the TOTP code to disable')
    expect(v.parse(disablingCode(en), ' ABCD-EFGH ')).toBe('ABCD-EFGH')
  })

  it('secret is shown in groups of four', () => {
    expect(grouped('ABCDEFGHIJ')).toBe('ABCD EFGH IJ')
    expect(grouped('ABCDEFGH')).toBe('ABCD EFGH')
  })
})
