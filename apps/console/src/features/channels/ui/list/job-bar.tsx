import type { ChannelJob } from '@sluice/contract/channel'
import { Link } from '@tanstack/react-router'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button, IconButton, Spinner } from '~/ui/button.tsx'
import { CheckIcon, CloseIcon, InfoIcon } from '~/ui/icon.tsx'
import { shareDone, type ChannelJobs, type JobKind } from './use-channel-jobs.ts'

export function JobBars({ jobs }: { jobs: ChannelJobs }) {
  return jobs.shown.map(({ kind, job }) => (
    <JobBar key={kind} kind={kind} job={job} onDismiss={() => jobs.dismiss(kind)} onStop={() => void jobs.stop(kind)} />
  ))
}

interface JobBarProps {
  readonly kind: JobKind
  readonly job: ChannelJob
  readonly onDismiss: () => void
  readonly onStop: () => void
}

function JobBar({ kind, job, onDismiss, onStop }: JobBarProps) {
  const t = useTexts(channelTexts)
  const { jobs } = t
  const title =
    kind === 'test'
      ? job.running
        ? jobs.testRunning
        : jobs.testDone
      : job.running
        ? jobs.balanceRunning
        : jobs.balanceDone
  const [done, total, failed] = [job.done, job.total, job.failed].map(formatCount)
  const facts = [
    t.jobProgress(done ?? '', total ?? ''),
    job.disabled > 0 ? t.jobDisabled(formatCount(job.disabled)) : '',
    job.enabled > 0 ? t.jobEnabled(formatCount(job.enabled)) : '',
    job.outcome === 'stopped' ? t.jobStopped : job.outcome === 'failed' ? t.jobBroken : '',
  ]
  const starter = job.scheduled ? t.jobScheduled : job.started_by === '' ? '' : t.jobStartedBy(job.started_by)
  const isWell = job.running || job.outcome === 'done'
  return (
    <section
      aria-label={title}
      className="border-line bg-surface flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border px-3 py-2 text-sm"
    >
      <span className={job.running || !isWell ? 'text-muted' : 'text-good'}>
        {job.running ? <Spinner /> : isWell ? <CheckIcon /> : <InfoIcon />}
      </span>
      <span className="font-medium">{title}</span>
      {job.running && <JobProgress label={title} percent={shareDone(job) * 100} />}
      <span role="status" className="text-muted tabular-nums">
        {facts.filter(Boolean).join(' · ')}
        {job.failed > 0 && (
          <>
            {' · '}
            <span className="text-bad">{t.jobFailures(failed ?? '')}</span>
          </>
        )}
        {starter !== '' && ` · ${starter}`}
      </span>
      {!job.running && <span className="grow" />}
      {job.running ? (
        <Button size="small" busy={job.stopping} onClick={onStop}>
          {t.jobStop}
        </Button>
      ) : (
        <IconButton label={t.dismiss} onClick={onDismiss}>
          <CloseIcon />
        </IconButton>
      )}
      {job.failures.length > 0 && <JobFailures job={job} />}
    </section>
  )
}

function JobProgress({ label, percent }: { label: string; percent: number }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
      className="bg-subtle h-1.5 min-w-24 grow overflow-hidden rounded-full max-md:order-last max-md:w-full"
    >
      <div className="bg-accent-solid h-full rounded-full transition-[width]" style={{ width: `${percent}%` }} />
    </div>
  )
}

function JobFailures({ job: { failures, failed } }: { job: ChannelJob }) {
  const t = useTexts(channelTexts)
  return (
    <details className="w-full">
      <summary className="text-muted cursor-pointer">{t.jobWhatFailed}</summary>
      <ul className="mt-1 max-h-48 overflow-y-auto ps-4">
        {failures.map(({ id, name, reason }, at) => (
          <li key={`${id}-${at}`}>
            <Link to="/channels/edit/$id" params={{ id }} className="font-medium">
              {name === '' ? t.nameOrId(String(id)) : name}
            </Link>
            <span className="text-muted break-words"> {reason}</span>
          </li>
        ))}
      </ul>
      {failed > failures.length && (
        <p className="text-muted">{t.jobMoreFailed(formatCount(failed - failures.length))}</p>
      )}
    </details>
  )
}
