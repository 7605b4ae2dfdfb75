import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { asObject } from '../../../packages/dialects/src/json-value.ts'
import { Declarations } from './declarations.ts'
import { Sampler } from './sample.ts'
import { type Place, VENDOR_UNIONS, type VendorUnion } from './vendor-unions.ts'

export interface VendorShape {
  readonly place: Place
  /** On the wire: its `type`, its role, or the member that holds it. */
  readonly name: string
  /** In the library. */
  readonly type: string
  /** A minimal shape of this type, with texts of unique words. */
  readonly sample: unknown
}

export interface VendorShapes {
  readonly packages: Readonly<Record<string, string>>
  readonly shapes: readonly VendorShape[]
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const FOLDERS: Readonly<Record<VendorUnion['package'], string>> = {
  openai: `${ROOT}/node_modules/openai`,
  '@anthropic-ai/sdk': `${ROOT}/tests/clients/node_modules/@anthropic-ai/sdk`,
  '@google/genai': `${ROOT}/tests/clients/node_modules/@google/genai`,
}

export const SHAPES_FILE = 'tools/reference/shapes/vendor-shapes.json'

/** The shapes read from the libraries by the last `npm run fix`. */
export function committedShapes(): VendorShapes {
  return JSON.parse(readFileSync(`${ROOT}/${SHAPES_FILE}`, 'utf8')) as VendorShapes
}

/** The installed libraries' declarations; undefined if the tests' clients are not installed. */
export function readShapes(): VendorShapes | undefined {
  if (!Object.values(FOLDERS).every((folder) => existsSync(`${folder}/package.json`))) return undefined
  const sampler = new Sampler(new Declarations())
  const shapes: VendorShape[] = []
  for (const union of VENDOR_UNIONS) {
    for (const shape of shapesOf(union, sampler)) if (!shapes.some((known) => isSame(known, shape))) shapes.push(shape)
  }
  const versions = Object.entries(FOLDERS).map(([name, folder]) => [name, versionIn(folder)])
  return { packages: Object.fromEntries(versions) as Readonly<Record<string, string>>, shapes }
}

export function shapesText(shapes: VendorShapes): string {
  const lines = shapes.shapes.map((shape) => `    ${JSON.stringify(shape)}`)
  return `{\n  "packages": ${JSON.stringify(shapes.packages)},\n  "shapes": [\n${lines.join(',\n')}\n  ]\n}\n`
}

function versionIn(folder: string): string {
  return String(asObject(JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')))?.['version'])
}

const plainType = (type: string) => type.replace(/^Beta/, '').replace(/\.Beta/, '.')

/** Declared in both the released and the beta half of a library. */
function isSame(known: VendorShape, { place, name, type }: VendorShape): boolean {
  return known.place === place && known.name === name && plainType(known.type) === plainType(type)
}

function shapesOf({ package: name, file, type, place }: VendorUnion, sampler: Sampler): readonly VendorShape[] {
  const path = `${FOLDERS[name]}/${file}`
  const [outer = '', member] = type.replace('.*', '').split('#')
  const found = new Declarations().find(path, outer)
  if (found === undefined) throw new Error(`${name} no longer declares ${outer} in ${file}: vendor-unions.ts names it`)
  if (type.endsWith('.*')) {
    return [...sampler.properties(found)].map(([key, property]) => ({
      place,
      name: key,
      type: `${outer}.${key}`,
      sample: { [key]: sampler.sample(property) },
    }))
  }
  const holder = member === undefined ? found : sampler.properties(found).get(member)
  if (holder === undefined) throw new Error(`${name} no longer declares ${type} in ${file}: vendor-unions.ts names it`)
  return sampler.members(holder).map((each) => {
    const sample = sampler.sample(each.type)
    return { place, name: nameOf(sample) || each.name, type: each.name, sample }
  })
}

function nameOf(sample: unknown): string {
  const { type, role } = asObject(sample) ?? {}
  return typeof sample === 'string' ? sample : typeof type === 'string' ? type : typeof role === 'string' ? role : ''
}
