import type { Page } from '@playwright/test'
import { updateOption } from '@sluice/contract/routes/options'
import { createUser } from '@sluice/contract/routes/users'
import { openWorkbench, type Workbench } from '@sluice/testkit/workbench'
import { expect, test } from '../fixtures.ts'

/** A separate gateway, because passkeys belong to its address setting, which must not change for other tests. */
let bench: Workbench
let address: string

test.beforeAll(async () => {
  bench = await openWorkbench()
  address = bench.gateway.url.replace('127.0.0.1', 'localhost')
  await bench.root.call(updateOption, { body: { key: 'ServerAddress', value: address } })
  await bench.root.call(createUser, { body: { username: 'ann', password: 'a long password' } })
})
test.afterAll(() => bench.close())

test(
  'a passkey made by a real browser signs in only its owner, and once per proof',
  { tag: '@S13' },
  async ({ page }) => {
    const device = await addDevice(page)
    await page.goto(`${address}/login`)
    expect(await post(page, '/api/user/login', { username: 'ann', password: 'a long password' })).toMatchObject({
      success: true,
    })

    const made = await makePasskey(page)
    expect(made).toMatchObject({ success: true })
    expect(await device.credentials()).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }])

    await signOut(page)
    const proof = await provePasskey(page)
    expect(await post(page, '/api/user/passkey/login/finish', { credential: proof })).toMatchObject({
      success: true,
      data: { username: 'ann' },
    })
    expect(await page.evaluate(() => fetch('/api/user/self').then((reply) => reply.json()))).toMatchObject({
      data: { username: 'ann' },
    })

    await signOut(page)
    expect(await post(page, '/api/user/passkey/login/finish', { credential: proof })).toMatchObject({ success: false })
  },
)

test('a copied, borrowed or unchecked passkey of a real browser signs no one in', { tag: '@S13' }, async ({ page }) => {
  await bench.root.call(createUser, { body: { username: 'eve', password: 'a long password' } })
  const device = await addDevice(page)
  await page.goto(`${address}/login`)
  const add = async (username: string) => {
    await post(page, '/api/user/login', { username, password: 'a long password' })
    expect(await makePasskey(page)).toMatchObject({ success: true })
    await signOut(page)
    const added = (await device.credentials()).at(-1)
    if (added?.userHandle === undefined) throw new Error('the device keeps what it made, and for whom')
    return { ...added, userHandle: added.userHandle }
  }
  const ann = await add('ann')
  await device.removeAll()
  const eve = await add('eve')
  const signIn = async (change: (proof: Proof) => Proof = (proof) => proof) =>
    post(page, '/api/user/passkey/login/finish', { credential: change(await provePasskey(page)) })
  const refused = { success: false, code: 'passkey_refused' }

  const asAnn = inBase64Url(ann.credentialId)
  expect(await signIn((proof) => ({ ...proof, id: asAnn, rawId: asAnn })), 'the name of another’s').toMatchObject(
    refused,
  )
  await device.removeAll()
  await device.add({ ...eve, userHandle: ann.userHandle })
  expect(await signIn(), 'the user handle of another').toMatchObject(refused)
  await device.removeAll()
  await device.add({ ...eve, credentialId: ann.credentialId, userHandle: ann.userHandle })
  expect(await signIn(), 'one’s own key under the name of another’s').toMatchObject(refused)
  await device.removeAll()
  await device.add({ ...eve, signCount: 20 })
  expect(await signIn(), 'the right one').toMatchObject({ success: true, data: { username: 'eve' } })
  await signOut(page)
  await device.removeAll()
  await device.add({ ...eve, signCount: 10 })
  expect(await signIn(), 'a copy whose counter is behind').toMatchObject(refused)

  await device.personIsChecked(false)
  await expect(provePasskey(page), 'the browser itself asks for the person').rejects.toThrow('NotAllowedError')
  await device.personIsChecked(true)
  await page.goto(bench.gateway.url)
  await expect(provePasskey(page), 'the browser keeps passkeys to their own host').rejects.toThrow('SecurityError')
})

test('sign-in offers passkeys by a button, and on its own where one has been used', async ({ page }) => {
  const device = await addDevice(page)
  await page.goto(`${address}/login`)
  await post(page, '/api/user/login', { username: 'ann', password: 'a long password' })
  await makePasskey(page)
  await signOut(page)

  await page.goto(`${address}/login?redirect_to=/logs`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL(/\/logs$/)
  await expect(page.getByRole('button', { name: 'Account menu for ann' })).toBeVisible()

  await signOut(page)
  await page.evaluate(() => localStorage.removeItem('sluice.session'))
  await page.goto(`${address}/login`)
  await expect(page, 'the browser offered it among the names').toHaveURL(/\/dashboard$/)

  await device.remove()
  await signOut(page)
  await page.evaluate(() => localStorage.clear())
  await page.route('**/api/user/passkey/login/begin', (route) =>
    route.fulfill({ json: { success: false, message: 'No passkeys here.' } }),
  )
  await page.goto(`${address}/login`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('alert')).toHaveText('No passkeys here.')
})

/** Called by a script of the page, because the gateway would refuse a plain request from the browser. */
const signOut = (page: Page) => page.evaluate(() => fetch('/api/user/logout').then((reply) => reply.json()))

/** A device with passkeys, whose user always consents. */
async function addDevice(page: Page) {
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    credentials: async () => (await devices.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    add: (credential: Credential) => devices.send('WebAuthn.addCredential', { authenticatorId, credential }),
    removeAll: () => devices.send('WebAuthn.clearCredentials', { authenticatorId }),
    personIsChecked: (isUserVerified: boolean) =>
      devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    remove: () => devices.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  }
}

interface Credential {
  readonly credentialId: string
  readonly isResidentCredential: boolean
  readonly rpId?: string
  readonly privateKey: string
  readonly userHandle?: string
  readonly signCount: number
}

interface Proof {
  readonly id: string
  readonly rawId: string
}

const inBase64Url = (base64: string): string => Buffer.from(base64, 'base64').toString('base64url')

async function makePasskey(page: Page): Promise<unknown> {
  const { data } = await post<{ publicKey: PublicKeyCredentialCreationOptionsJSON }>(
    page,
    '/api/user/passkey/register/begin',
    {},
  )
  const credential = await page.evaluate(async (options) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const made = await navigator.credentials.create({ publicKey })
    return made instanceof PublicKeyCredential ? made.toJSON() : undefined
  }, data.publicKey)
  return post(page, '/api/user/passkey/register/finish', { credential_name: 'this browser', credential })
}

async function provePasskey(page: Page): Promise<Proof> {
  const { data } = await post<{ publicKey: PublicKeyCredentialRequestOptionsJSON }>(
    page,
    '/api/user/passkey/login/begin',
    {},
  )
  return page.evaluate(async (options) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    const proof = await navigator.credentials.get({ publicKey })
    if (!(proof instanceof PublicKeyCredential)) throw new Error('the browser gave no proof')
    const { id, rawId, ...rest } = proof.toJSON()
    return { id, rawId, ...rest }
  }, data.publicKey)
}

/** Sent by the page itself, with its cookies. */
function post<Data = unknown>(
  page: Page,
  path: string,
  body: object,
): Promise<{ readonly success: boolean; readonly data: Data }> {
  return page.evaluate(
    async ([to, sent]) => {
      const headers = { 'content-type': 'application/json' }
      const reply = await fetch(to, { method: 'POST', headers, body: JSON.stringify(sent) })
      return reply.json()
    },
    [path, body] as const,
  )
}
