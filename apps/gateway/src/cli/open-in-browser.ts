import { spawn } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const PAGE = 'open-console.html'

export interface OpenedPage {
  close(): Promise<void>
}

/**
 * Opens a page of the gateway in the user's browser. Other users of the machine can read a process's arguments, so the browser does
 * not get `url`, which can contain a sign-in token, but a file that only this user can read and that redirects there. Calls `tell`
 * with a sentence when no browser can be opened, at once or later.
 */
export async function openInBrowser(
  url: string,
  directory: string,
  tell: (sentence: string) => void,
): Promise<OpenedPage> {
  const page = join(directory, PAGE)
  const close = () => rm(page, { force: true })
  const failed = (why: string) => tell(`No browser could be opened (${why}); open the address above yourself.`)
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    // An existing file can belong to anyone, so none is ever overwritten.
    await close()
    await writeFile(page, pageTo(url), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    failed(error instanceof Error ? error.message : String(error))
    return { close }
  }
  const [command, ...args] = commandFor(process.platform)
  const child = spawn(command, [...args, page], { stdio: 'ignore', detached: true, env: environmentOfBrowser() })
  child.once('error', ({ message }) => failed(`${command}: ${message}`))
  child.once('exit', (code) => {
    if (code !== 0) failed(`${command}: exit code ${code}`)
  })
  child.unref()
  return { close }
}

function pageTo(url: string): string {
  return `<!doctype html><meta charset="utf-8"><title>Sluice</title><meta http-equiv="refresh" content="0; url=${url}"><a href="${url}">Sluice</a>\n`
}

function commandFor(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open']
  // Does what `start` does, but without a shell that would interpret the file name.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}

/** The environment without passwords, keys and our own variables. */
function environmentOfBrowser(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(SLUICE_|NODE_|MALLOC_|DATABASE_URL$|PORT$)/.test(name)),
  )
}
