import { IMPORT_STAGES, type ImportRun, type ImportStage } from '@sluice/contract/import'

/** Pause between two looks at a run, in milliseconds. */
const LOOK_MS = 1_000

/** How long to wait before the next look at a run; never while none is under way. */
export function pauseBetweenLooks(run: Pick<ImportRun, 'outcome'> | null | undefined): number | false {
  return run?.outcome === 'running' ? LOOK_MS : false
}

/** Stages of a run, in their order. */
export function stagesOf(mode: ImportRun['mode']): readonly ImportStage[] {
  return mode === 'check' ? IMPORT_STAGES.slice(0, 2) : IMPORT_STAGES
}

/** From 0 to 1, of the stage that is under way. */
export function shareDone({ done, total }: Pick<ImportRun, 'done' | 'total'>): number {
  return total > 0 ? Math.min(1, done / total) : 0
}

/** `0:07`, `12:40`, `1:02:03`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60]
  const [first = 0, ...rest] = parts[0] === 0 ? parts.slice(1) : parts
  return [String(first), ...rest.map((part) => String(part).padStart(2, '0'))].join(':')
}
