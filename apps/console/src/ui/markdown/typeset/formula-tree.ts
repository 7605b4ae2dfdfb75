import temml from 'temml'

/** An element of MathML that contains only what is allowed below, so that it can be drawn as it is. */
export interface FormulaNode {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly style: Readonly<Record<string, string>>
  readonly children: readonly (FormulaNode | string)[]
}

/** In characters of TeX; longer formulas are shown as written. */
const LONGEST = 2_000
const MOST_NODES = 3_000
const DEEPEST = 80

/** MathML Core without links, pictures, actions and foreign content (class S14). */
const TAGS: ReadonlySet<string> = new Set(
  (
    'math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup mover munder munderover mmultiscripts ' +
    'mprescripts none mtable mtr mtd mstyle mpadded mphantom menclose'
  ).split(' '),
)
/** Leaves out colours, because text that is invisible in one of the themes might hide something. */
const ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'display displaystyle scriptlevel mathvariant mathsize stretchy symmetric fence separator form largeop movablelimits accent ' +
    'accentunder lspace rspace minsize maxsize width height depth voffset linethickness columnspan rowspan columnalign notation dir'
  ).split(' '),
)
const VALUE = /^[\w.%+ -]{1,40}$/
/** Allows only slight raising and lowering, because a formula must not be drawn over other content. */
const RAISED = /^[+-]?(?:0?\.\d+|[01](?:\.\d+)?)(?:em|ex|px|pt)$/
const PADDINGS: ReadonlySet<string> = new Set(['padding', 'paddingLeft', 'paddingRight', 'width'])
const LENGTH = /^\d{0,3}(?:\.\d{1,6})?(?:em|pt|px|%)?$/
const ALIGNED: Readonly<Record<string, string>> = { 'tml-left': 'left', 'tml-right': 'right' }

interface TemmlNode {
  readonly type?: string
  readonly text?: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly style?: Readonly<Record<string, unknown>>
  readonly classes?: readonly string[]
  readonly children?: readonly TemmlNode[]
}

/** Undefined when the text is not TeX, or more than a reader would want to wait for. */
export function formulaOf(tex: string, display: boolean): FormulaNode | undefined {
  if (tex.length > LONGEST) return undefined
  try {
    const tree: TemmlNode = temml.__renderToMathMLTree(tex, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      strict: false,
      maxExpand: 500,
      maxSize: [20, 200],
    })
    let nodes = 0
    const allowed = (node: TemmlNode, depth: number): readonly (FormulaNode | string)[] => {
      if (++nodes > MOST_NODES || depth > DEEPEST) throw new RangeError('the formula is too large')
      const { type, text, attributes = {}, style = {}, classes = [], children = [] } = node
      if (text !== undefined) return [text]
      const inner = children.flatMap((child) => allowed(child, depth + 1))
      // Temml's other classes only mend fonts that are not loaded here.
      if (type === undefined || !TAGS.has(type)) return inner
      return [{ tag: type, attributes: allowedOf(attributes), style: styleOf(style, classes), children: inner }]
    }
    const [root] = allowed(tree, 0)
    return typeof root === 'object' && root.tag === 'math' ? root : undefined
  } catch {
    return undefined
  }
}

function allowedOf(attributes: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(attributes).map(([name, value]): [string, string] => [name, String(value)])
  const isAllowed = (name: string, value: string) => (name === 'voffset' ? RAISED : VALUE).test(value)
  return Object.fromEntries(entries.filter(([name, value]) => ATTRIBUTES.has(name) && isAllowed(name, value)))
}

function styleOf(style: Readonly<Record<string, unknown>>, classes: readonly string[]): Record<string, string> {
  const entries = Object.entries(style).map(([name, value]): [string, string] => [name, String(value)])
  const allowed = entries.filter(([name, value]) => PADDINGS.has(name) && LENGTH.test(value))
  const isBoxed = style['border'] === '1px solid'
  const aligned = classes.flatMap((name) => ALIGNED[name] ?? [])
  return {
    ...Object.fromEntries(allowed),
    ...(isBoxed && { border: '1px solid' }),
    ...(aligned[0] !== undefined && { textAlign: aligned[0] }),
  }
}
