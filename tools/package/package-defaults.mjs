import { isAbsolute, posix, win32 } from 'node:path'

/**
 * A package's defaults: data and compiled code are in the user's folders, as each system names them, because npm's own are replaced
 * with every version and may be read-only; and root first signs in by a link.
 *
 * @param {NodeJS.Platform} platform
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @param {string} home
 * @returns {Record<string, string>}
 */
export function packageDefaults(platform, environment, home) {
  const { data, cache } = foldersOf(platform, environment, home)
  return { SLUICE_DATA_DIR: data, NODE_COMPILE_CACHE: cache, SLUICE_FIRST_SIGN_IN: 'link' }
}

/**
 * The gateway's environment: the user's, with defaults for everything that is not set. `SLUICE_PACKAGE_DEFAULTS` lists the
 * defaults, so that `sluice config --explain` can name their origin.
 *
 * @param {NodeJS.Platform} platform
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @param {string} home
 * @returns {Record<string, string | undefined>}
 */
export function packageEnvironment(platform, environment, home) {
  const defaults = packageDefaults(platform, environment, home)
  const names = Object.keys(defaults).filter((name) => environment[name] === undefined)
  return { ...defaults, ...environment, SLUICE_PACKAGE_DEFAULTS: names.join(',') }
}

function foldersOf(platform, { LOCALAPPDATA, XDG_DATA_HOME, XDG_CACHE_HOME }, home) {
  if (platform === 'win32') {
    const base = LOCALAPPDATA || win32.join(home, 'AppData', 'Local')
    return { data: win32.join(base, 'Sluice'), cache: win32.join(base, 'Sluice Cache') }
  }
  const { join } = posix
  if (platform === 'darwin') {
    return {
      data: join(home, 'Library', 'Application Support', 'Sluice'),
      cache: join(home, 'Library', 'Caches', 'Sluice'),
    }
  }
  // Relative paths must be ignored (https://specifications.freedesktop.org/basedir-spec/latest/).
  const set = (folder, otherwise) => (folder && isAbsolute(folder) ? folder : join(home, ...otherwise))
  return {
    data: join(set(XDG_DATA_HOME, ['.local', 'share']), 'sluice'),
    cache: join(set(XDG_CACHE_HOME, ['.cache']), 'sluice'),
  }
}
