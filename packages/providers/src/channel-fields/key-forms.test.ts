import { cozeDocument, googleDocument } from '@sluice/testkit/channel-bodies'
import { describe, expect, test } from 'vitest'
import { KINDS } from '../kinds/all.ts'
import { hasSameKeyForm, keyProblem, writtenKeyForms } from './key-forms.ts'

const NOTHING = {}
const jwt = { auth_type: 'oauth_jwt' }

describe('the key of a channel', () => {
  test.each([
    [1, 'sk-x'],
    [3, '0123abc'],
    [3, 'tenant|client|secret~1'],
    [15, 'ak|sk'],
    [15, 'bce-v3/ALTAK-x/y'],
    [16, 'id123.secret456'],
    [18, 'appid|secret|key'],
    [18, 'key:secret'],
    [23, '125|AKID|key'],
    [23, 'sk-tokenhub'],
    [33, 'AK|SK/+=|eu-west-1'],
    [33, 'AK|SK|eu-west-1|session=='],
    [33, 'ABSKexample='],
    [34, 'pat_x'],
    [38, 'key:fx'],
    [43, 'Basic dXNlcjpwYXNz'],
  ])('of type %i can be %s', (code, key) => {
    expect(keyProblem(code, key, NOTHING)).toBeUndefined()
  })

  test.each([
    [1, 'sk x', 'may contain only printable ASCII characters without spaces'],
    [1, 'sk-\r\nx-evil: 1', 'may contain only printable ASCII characters without spaces'],
    [3, 'a|b', 'must be written as one word or tenant|client_id|client_secret'],
    [15, 'plain', 'must be written as APIKey|SecretKey or bce-v3/…'],
    [16, 'without-a-dot', 'must be written as id.secret'],
    [18, 'appid|secret', 'must be written as APPID|APISecret|APIKey or one word (an API password)'],
    [23, 'app|AKID|key', 'must be written as AppId|SecretId|SecretKey or sk-…'],
    [33, 'AK|SK', 'must be written as AccessKey|SecretKey|Region or one word (a Bedrock API key)'],
    [34, '{"client_type":"jwt"}', 'must be written as one word'],
    [42, 'us-central1', 'must be written as Region|ProjectID|credentials in JSON'],
    [42, 'us-central1|p|{}', 'credentials: type must be service_account or authorized_user'],
    [42, 'us-central1|p|{', 'credentials: Invalid JSON format'],
    [43, 'a\nb', 'must be written as the value of an Authorization header'],
  ])('of type %i cannot be %j', (code, key, rule) => {
    expect(keyProblem(code, key, NOTHING)).toEqual({ field: 'key', rule })
  })

  test('of Vertex AI can contain bars and line breaks in its credentials', () => {
    const document = googleDocument({ note: 'a|b' })
    expect(keyProblem(42, `us-central1|my-project|${document}`, NOTHING)).toBeUndefined()
    const user = JSON.stringify({ type: 'authorized_user', client_id: 'c', client_secret: 's', refresh_token: 'r' })
    expect(keyProblem(42, `global|my-project|${user}`, NOTHING)).toBeUndefined()
  })

  test.each([
    [{ client_email: '' }, 'credentials: Missing required field: client_email'],
    [{ private_key: 'x' }, /^credentials: private_key must be a PEM text/],
    [{ type: 'external_account' }, 'credentials: type must be service_account or authorized_user'],
  ])('of Vertex AI is refused with %j', (more, rule) => {
    expect(keyProblem(42, `us|p|${googleDocument(more)}`, NOTHING)?.rule).toMatch(rule)
  })

  test.each([
    [{ client_id: ' ' }, 'Missing required field: client_id'],
    [{ private_key: 7 }, 'Missing required field: private_key'],
    [{ private_key: 'x' }, /^private_key must be a PEM text/],
    [{ coze_api_base: 'api.coze.com' }, 'coze_api_base must be an http:// or https:// address'],
  ])('of a Coze app is refused with %j', (more, rule) => {
    expect(keyProblem(34, cozeDocument(), jwt)).toBeUndefined()
    expect(keyProblem(34, cozeDocument(more), jwt)?.rule).toMatch(rule)
    expect(keyProblem(34, 'pat_x', jwt)?.rule).toBe('Invalid JSON format')
  })

  test('is refused when it is a preview of one', { tags: 'S33' }, () => {
    for (const key of ['sk-****abcd', 'sk-••••', 'sk-ab…yz', 'AK|***|eu-west-1']) {
      expect(keyProblem(33, key, NOTHING)?.rule).toBe('is masked; leave it empty to keep the stored value')
    }
  })

  test('never appears in an error about it', { tags: 'S20' }, () => {
    for (const { code } of KINDS) {
      const key = 'canary canary|canary'
      expect(keyProblem(code, key, jwt)?.rule ?? '').not.toContain('canary')
    }
  })

  test.each(['evil.com/#', 'a.b', 'us_east', '', '-x', 'US-EAST-1', 'a'.repeat(41)])(
    'the region %j, which would become part of a host name, is refused',
    { tags: 'S1' },
    (region) => {
      expect(keyProblem(33, `AK|SK|${region}`, NOTHING)).toBeDefined()
      expect(keyProblem(42, `${region}|p|${googleDocument()}`, NOTHING)).toBeDefined()
    },
  )

  test.each(['http://169.254.169.254/token', 'file:///etc/passwd', 'https://user:pw@example.org/', 'x', 7])(
    'credentials whose token_uri is %j are refused',
    { tags: 'S3' },
    (tokenUri) => {
      const key = `us|p|${googleDocument({ token_uri: tokenUri })}`
      expect(keyProblem(42, key, NOTHING)?.rule).toBe('credentials: token_uri must be an https:// address')
    },
  )

  test('can be described for every type', () => {
    expect(writtenKeyForms(1)).toEqual(['one word'])
    expect(writtenKeyForms(18)).toEqual(['APPID|APISecret|APIKey', 'one word (an API password)'])
    expect(writtenKeyForms(42)).toEqual(['Region|ProjectID|credentials in JSON'])
    expect(writtenKeyForms(34)).toHaveLength(2)
  })

  test('stays when a channel moves between types with the same form of key', () => {
    expect(hasSameKeyForm(1, 50)).toBe(true)
    expect(hasSameKeyForm(33, 33)).toBe(true)
    for (const special of [3, 15, 16, 18, 23, 33, 34, 42, 43]) expect(hasSameKeyForm(special, 1)).toBe(false)
  })
})
