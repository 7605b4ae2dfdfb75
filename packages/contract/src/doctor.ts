import * as v from 'valibot'
import { essential, whenAbsent } from './absence.ts'
import { unixSeconds } from './scalars.ts'

/** In ascending order. `note`: nothing has to be done. `problem`: users notice it, or money is at stake. */
export const SEVERITIES = ['ok', 'note', 'warning', 'problem'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Texts are in the caller's language; ids, checks and parameters never change their meaning. */
export const finding = v.object({
  /** Such as `disk.full`; listed in docs/reference/doctor.md. */
  id: essential(v.string()),
  check: v.string(),
  title: v.string(),
  severity: whenAbsent(v.picklist(SEVERITIES), 'note'),
  /** A channel, a folder, an address; may be empty. */
  subject: v.string(),
  finding: v.string(),
  /** What to do; empty if nothing. */
  remedy: v.string(),
  /** The console page for it; may be empty. */
  link: v.string(),
  /** Values of the texts' placeholders, for programs. */
  params: v.record(v.string(), v.union([v.string(), v.number()])),
})
export type Finding = v.InferOutput<typeof finding>

export const doctorReport = v.object({
  /** Raised when a field is removed or changes its meaning. */
  format: v.literal(1),
  version: v.string(),
  examined_at: unixSeconds,
  elapsed_ms: v.number(),
  worst: v.picklist(SEVERITIES),
  findings: v.array(finding),
})
export type DoctorReport = v.InferOutput<typeof doctorReport>
