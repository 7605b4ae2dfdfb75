import { expect, it } from 'vitest'
import { packageDefaults, packageEnvironment } from './package-defaults.mjs'

const folders = (platform, environment, home) => {
  const { SLUICE_DATA_DIR, NODE_COMPILE_CACHE } = packageDefaults(platform, environment, home)
  return [SLUICE_DATA_DIR, NODE_COMPILE_CACHE]
}

it('data and compiled code are where each system keeps them', () => {
  expect(folders('linux', {}, '/home/ann')).toEqual(['/home/ann/.local/share/sluice', '/home/ann/.cache/sluice'])
  expect(folders('linux', { XDG_DATA_HOME: '/d', XDG_CACHE_HOME: '/c' }, '/home/ann')).toEqual([
    '/d/sluice',
    '/c/sluice',
  ])
  expect(folders('darwin', {}, '/Users/ann')).toEqual([
    '/Users/ann/Library/Application Support/Sluice',
    '/Users/ann/Library/Caches/Sluice',
  ])
  const local = 'C:\\Users\\ann\\AppData\\Local'
  const expected = [`${local}\\Sluice`, `${local}\\Sluice Cache`]
  expect(folders('win32', { LOCALAPPDATA: local }, 'C:\\Users\\ann')).toEqual(expected)
  expect(folders('win32', {}, 'C:\\Users\\ann')).toEqual(expected)
})

it('an empty or relative folder in the environment counts as none', () => {
  for (const folder of ['', 'relative']) {
    expect(folders('linux', { XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder }, '/home/ann')).toEqual([
      '/home/ann/.local/share/sluice',
      '/home/ann/.cache/sluice',
    ])
  }
})

it('root signs in first by a link', () => {
  expect(packageDefaults('linux', {}, '/home/ann')).toMatchObject({ SLUICE_FIRST_SIGN_IN: 'link' })
})

it('what the user has set stays, and the rest is named as defaults of the package', () => {
  const environment = packageEnvironment('linux', { SLUICE_DATA_DIR: '/data', PORT: '8080' }, '/home/ann')
  expect(environment).toEqual({
    SLUICE_DATA_DIR: '/data',
    PORT: '8080',
    NODE_COMPILE_CACHE: '/home/ann/.cache/sluice',
    SLUICE_FIRST_SIGN_IN: 'link',
    SLUICE_PACKAGE_DEFAULTS: 'NODE_COMPILE_CACHE,SLUICE_FIRST_SIGN_IN',
  })
})
