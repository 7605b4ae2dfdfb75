import type { ChannelJob } from '@sluice/contract/channel'
import { formatCount } from '../../../lib/format/quota.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { IconButton } from '../../../ui/button.tsx'
import { CheckIcon, CloseIcon } from '../../../ui/sign-icons.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { shareDone } from '../model/channel-jobs.ts'
import { channelTexts } from '../texts/channel-texts.ts'
import type { ChannelJobs, JobKind } from './use-channel-jobs.ts'

/** The work that runs in the gateway: how far it is, and in the end what came of it. */
export function JobBars({ jobs }: { jobs: ChannelJobs }) {
  return jobs.shown.map(({ kind, job }) => (
    <JobBar key={kind} kind={kind} job={job} onDismiss={() => jobs.dismiss(kind)} />
  ))
}

function JobBar({ kind, job, onDismiss }: { kind: JobKind; job: ChannelJob; onDismiss: () => void }) {
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
  ]
  return (
    <section
      aria-label={title}
      className="border-line bg-surface flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border px-3 py-2 text-sm"
    >
      <span className={job.running ? 'text-muted' : 'text-good'}>{job.running ? <Spinner /> : <CheckIcon />}</span>
      <span className="font-medium">{title}</span>
      {job.running && (
        <div
          role="progressbar"
          aria-label={title}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(shareDone(job) * 100)}
          className="bg-subtle h-1.5 min-w-24 grow overflow-hidden rounded-full max-md:order-last max-md:w-full"
        >
          <div
            className="bg-accent-solid h-full rounded-full transition-[width]"
            style={{ width: `${shareDone(job) * 100}%` }}
          />
        </div>
      )}
      <span role="status" className="text-muted tabular-nums">
        {facts.filter(Boolean).join(' · ')}
        {job.failed > 0 && (
          <>
            {' · '}
            <span className="text-bad">{t.jobFailures(failed ?? '')}</span>
          </>
        )}
      </span>
      {!job.running && <span className="grow" />}
      {!job.running && (
        <IconButton label={t.dismiss} onClick={onDismiss}>
          <CloseIcon />
        </IconButton>
      )}
    </section>
  )
}
