import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { copyContext, readContext } from './build-context.ts'
import { makeBase, type Run, runInstruction } from './chroot.ts'
import { execFormOf, type Instruction, pairsOf, type Stage, stagesOf } from './dockerfile.ts'

const execute = promisify(execFile)

/** What a container runtime reads from an image. */
export interface Image extends Run {
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
  readonly volumes: readonly string[]
}

/** The builder's own stage runs on this machine; the others in a root like that of their base image. */
const ON_THIS_MACHINE = 'build'

/**
 * Follows the Dockerfile by hand, instruction by instruction, without a container runtime. Two things differ: the base image
 * consists of this machine's programs, and the repository's packages are linked instead of installed.
 */
export async function buildImage(repository: string, folder: string): Promise<Image> {
  const dockerfile = await readFile(join(repository, 'deploy', 'docker', 'Dockerfile'), 'utf8')
  const context = join(folder, 'context')
  await copyContext(repository, await readContext(repository), context)
  let image: Image | undefined
  for (const stage of stagesOf(dockerfile)) {
    const root = join(folder, stage.name || 'image')
    await mkdir(root, { recursive: true })
    if (stage.name === ON_THIS_MACHINE) await buildHere(stage, { root, context, repository })
    else image = await buildStage(stage, { root, context, folder })
  }
  if (image === undefined) throw new Error('the Dockerfile has no stage')
  return image
}

async function buildHere(
  { instructions }: Stage,
  { root, context, repository }: { readonly root: string; readonly context: string; readonly repository: string },
): Promise<void> {
  let folder = root
  for (const { name, text } of instructions) {
    if (name === 'WORKDIR') folder = join(root, text)
    else if (name === 'COPY' && text === '. .') await cp(context, folder, { recursive: true })
    else if (name === 'RUN' && text.startsWith('npm ci ')) {
      await linkPackages(join(repository, 'node_modules'), join(folder, 'node_modules'))
    } else if (name === 'RUN') {
      const [command = '', ...args] = text.split(' ')
      const program = command === 'node' ? process.execPath : command
      const here = args.map((arg) => (arg.startsWith('/') ? join(root, arg) : arg))
      await execute(program, here, { cwd: folder, env: { PATH: process.env['PATH'] ?? '' } })
    } else throw new Error(`${name} ${text} cannot be followed in this stage`)
  }
}

/** Hard links, because packages resolve as if installed, and take no space. */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to)
  const names = (await readdir(from)).filter((name) => name !== '.cache')
  await execute('cp', ['-al', ...names.map((name) => join(from, name)), to])
}

async function buildStage(
  { instructions }: Stage,
  { root, context, folder }: { readonly root: string; readonly context: string; readonly folder: string },
): Promise<Image> {
  await makeBase(root)
  let image: Image = {
    root,
    user: '0:0',
    folder: '/',
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
    entrypoint: [],
    command: [],
    healthCheck: [],
    volumes: [],
  }
  for (const instruction of instructions) {
    const { name, text } = instruction
    if (name === 'COPY') await copyInto(root, instruction, { context, folder })
    else if (name === 'RUN') await runInstruction(image, ['/bin/sh', '-c', text])
    else image = declared(image, name, text)
  }
  return image
}

/** Instructions that only describe the image. */
function declared(image: Image, name: string, text: string): Image {
  switch (name) {
    case 'ENV':
      return { ...image, env: { ...image.env, ...Object.fromEntries(pairsOf(text)) } }
    case 'USER':
      return { ...image, user: text }
    case 'WORKDIR':
      return { ...image, folder: text }
    case 'ENTRYPOINT':
      return { ...image, entrypoint: execFormOf(text) ?? [] }
    case 'CMD':
      return { ...image, command: execFormOf(text) ?? [] }
    case 'HEALTHCHECK':
      return { ...image, healthCheck: execFormOf(text.slice(text.indexOf('['))) ?? [] }
    case 'VOLUME':
      return { ...image, volumes: execFormOf(text) ?? [] }
    case 'ARG':
    case 'LABEL':
    case 'EXPOSE':
    case 'STOPSIGNAL':
      return image
    default:
      throw new Error(`the test does not know ${name}`)
  }
}

async function copyInto(
  root: string,
  { text, flags }: Instruction,
  { context, folder }: { readonly context: string; readonly folder: string },
): Promise<void> {
  const [from = '', to = ''] = text.split(/\s+/)
  const source = flags['from'] === undefined ? context : join(folder, flags['from'])
  await cp(join(source, from), join(root, to), { recursive: true })
  await execute('chown', ['-R', flags['chown'] ?? '0:0', join(root, to)])
}
