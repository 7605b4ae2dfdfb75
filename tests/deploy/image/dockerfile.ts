/** An instruction, with its flags (`--from=build`) separated from its text; continued lines are joined. */
export interface Instruction {
  readonly name: string
  readonly flags: Readonly<Record<string, string>>
  readonly text: string
}

export interface Stage {
  readonly name: string
  readonly base: string
  readonly instructions: readonly Instruction[]
}

/** The stages of a Dockerfile without heredocs and without escapes other than `\`. Variables stay as they are. */
export function stagesOf(dockerfile: string): readonly Stage[] {
  const stages: { name: string; base: string; instructions: Instruction[] }[] = []
  for (const instruction of instructionsOf(dockerfile)) {
    const stage = stages.at(-1)
    if (instruction.name === 'FROM') {
      const [base = '', , name = ''] = instruction.text.split(/\s+/)
      stages.push({ name, base, instructions: [] })
    } else if (stage !== undefined) stage.instructions.push(instruction)
  }
  return stages
}

/** All instructions in order, including those before the first FROM. */
export function instructionsOf(dockerfile: string): readonly Instruction[] {
  const lines = dockerfile.split('\n').filter((line) => !/^\s*#/.test(line))
  const joined = lines.join('\n').replaceAll(/\\\n\s*/g, ' ')
  return joined
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? []
      const [given = ''] = /^(?:--\S+\s+)*/.exec(rest) ?? []
      const flags = [...given.matchAll(/--([\w-]+)=(\S+)/g)].map(([, flag = '', value = '']) => [flag, value] as const)
      return { name, flags: Object.fromEntries(flags), text: rest.slice(given.length).trim() }
    })
}

/** `A=b C="d e"` as pairs. */
export function pairsOf(text: string): readonly (readonly [name: string, value: string])[] {
  return [...text.matchAll(/([\w.]+)=("[^"]*"|\S*)/g)].map(
    ([, name = '', value = '']) => [name, value.replaceAll('"', '')] as const,
  )
}

/** The list of an instruction in exec form; undefined in shell form. */
export function execFormOf(text: string): readonly string[] | undefined {
  return text.startsWith('[') ? (JSON.parse(text) as readonly string[]) : undefined
}
