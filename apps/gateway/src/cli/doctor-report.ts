import { stripVTControlCharacters } from 'node:util'
import type { DoctorReport, Finding, Severity } from '@sluice/contract/doctor'

const WIDTH = 80
const INDENT = '  '

const HEADINGS: readonly (readonly [severity: Severity, heading: string, colour: number])[] = [
  ['problem', 'Problems', 31],
  ['warning', 'Warnings', 33],
  ['note', 'Notes', 36],
  ['ok', 'OK', 32],
]

/** Prints findings by urgency, in lines of at most 80 characters where words allow it. */
export function printDoctorReport(
  { findings, elapsed_ms: elapsedMs, version }: DoctorReport,
  { isColoured, print }: { readonly isColoured: boolean; readonly print: (line: string) => void },
): void {
  for (const [severity, heading, colour] of HEADINGS) {
    const group = findings.filter((finding) => finding.severity === severity)
    if (group.length === 0) continue
    const title = `${heading} (${group.length})`
    print(isColoured ? `\u001B[1;${colour}m${title}\u001B[0m` : title)
    for (const finding of group) for (const line of linesOf(finding)) print(line)
    print('')
  }
  const counts = HEADINGS.map(([severity]) => findings.filter((finding) => finding.severity === severity).length)
  const [problems = 0, warnings = 0, notes = 0] = counts
  print(
    `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}, ${counted(notes, 'note')} ` +
      `(Sluice ${version}, ${(elapsedMs / 1_000).toFixed(1)} s)`,
  )
}

function linesOf({ title, finding, remedy, id }: Finding): readonly string[] {
  const found = wrapped(`${title}: ${finding}`, INDENT)
  if (remedy === '') return found
  const deeper = INDENT.repeat(2)
  return [...found, ...wrapped(`→ ${remedy}`, deeper), `${deeper}${id}`]
}

/** Text written by others, such as the name of a channel, must not control the terminal. */
function wrapped(text: string, indent: string): readonly string[] {
  const words = stripVTControlCharacters(text)
    .replace(/\p{Cc}/gu, ' ')
    .split(' ')
  const lines: string[] = []
  let line = indent
  for (const word of words) {
    const longer = line === indent ? `${indent}${word}` : `${line} ${word}`
    if (longer.length > WIDTH && line !== indent) {
      lines.push(line)
      line = `${indent}${word}`
    } else {
      line = longer
    }
  }
  return [...lines, line]
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
