import type { MoveReport } from '../move/move-report.ts'

export function printMoveReport(report: MoveReport, seconds: number, print: (line: string) => void): void {
  const { outcome, source, target, written, removed, tables, sums, proof, problems } = report
  for (const { table, source: ours, target: theirs } of tables) {
    if (ours.rows === 0 && theirs.rows === 0) continue
    const isEqual = ours.digest === theirs.digest
    print(
      `${isEqual ? 'ok   ' : 'WRONG'} ${table.padEnd(24)} ${ours.rows} rows, ${theirs.rows} in the target; ${ours.digest.slice(0, 16)}`,
    )
  }
  for (const sum of sums) {
    const isEqual = sum.source === sum.target
    print(`${isEqual ? 'ok   ' : 'WRONG'} ${sum.name}: ${sum.source}${isEqual ? '' : `, ${sum.target} in the target`}`)
  }
  for (const { id, statement, ok } of proof) print(`${ok ? 'ok   ' : 'WRONG'} ${id.padEnd(4)} ${statement}`)
  print(`\n${written} rows were written and ${removed} removed in ${seconds} s.`)
  for (const problem of problems) print(problem)
  print(endingOf(outcome, source, target))
}

function endingOf(outcome: MoveReport['outcome'], source: string, target: string): string {
  switch (outcome) {
    case 'copied':
      return `${target} contains the data that ${source} had when this began. Run it again at any time; to move, stop every gateway and run it once more.`
    case 'unequal':
      return `Nothing was moved: ${source} remains the active database. Run it again, and report this if it keeps happening.`
    case 'moved':
      return `The data is in ${target}, and both sides are equal. Set DATABASE_URL to ${addressOf(target)}, keep the same master key (master.key in the data directory, or SLUICE_MASTER_KEY), and start. ${source} is kept unchanged; no gateway starts on it unless you run "sluice move --undo".`
  }
}

function addressOf(target: string): string {
  return target.startsWith('postgres') ? `the address of ${target}` : `sqlite:${target}`
}
