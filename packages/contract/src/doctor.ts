import * as v from 'valibot'
import { essential, whenAbsent } from './absence.ts'
import { unixSeconds } from './scalars.ts'

/** From harmless to urgent. `note`: worth knowing, but nothing has to be done. `problem`: users notice it, or money is at stake. */
export const SEVERITIES = ['ok', 'note', 'warning', 'problem'] as const
export type Severity = (typeof SEVERITIES)[number]

/**
 * What one check of the doctor found. Texts are in the caller's language; ids, checks and parameters never change their meaning.
 */
export const finding = v.object({
  /** `disk.full`; the list is in docs/reference/doctor.md. */
  id: essential(v.string()),
  /** `disk`. */
  check: v.string(),
  /** Name of the check. */
  title: v.string(),
  severity: whenAbsent(v.picklist(SEVERITIES), 'note'),
  /** What it is about: a channel, a folder, an address; may be empty. */
  subject: v.string(),
  finding: v.string(),
  /** What to do; empty if nothing has to be done. */
  remedy: v.string(),
  /** Console page where it can be done; may be empty. */
  link: v.string(),
  /** Values of the texts' placeholders, for programs. */
  params: v.record(v.string(), v.union([v.string(), v.number()])),
})
export type Finding = v.InferOutput<typeof finding>

/** One examination, the most urgent findings first. */
export const doctorReport = v.object({
  /** Raised when a field changes its meaning or is removed. */
  format: v.literal(1),
  /** Version of the program that examined. */
  version: v.string(),
  examined_at: unixSeconds,
  elapsed_ms: v.number(),
  /** The most urgent severity. */
  worst: v.picklist(SEVERITIES),
  findings: v.array(finding),
})
export type DoctorReport = v.InferOutput<typeof doctorReport>
