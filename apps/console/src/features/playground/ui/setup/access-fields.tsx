import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { listedNames, MOST_CHANNEL_SUGGESTIONS, type ModelOption } from '~/features/playground/model/model-options.ts'
import { type en, setupTexts } from '~/features/playground/texts/setup-texts.ts'
import { useCommand } from '~/lib/commands.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { Translation } from '~/lib/i18n/texts.ts'
import { Button } from '~/ui/button.tsx'
import { ChoiceBox } from '~/ui/combobox/choice-box.tsx'
import { Field, Select } from '~/ui/field.tsx'
import { useSetupControls } from './setup-controls.ts'
import { tokenName } from './use-token-choice.ts'

const QUIET_LINK = 'text-muted hover:text-ink text-xs underline'
const CHOSEN_CHANNELS = 2
const SUGGESTED_CHANNELS = 3
/** Reserves a line, so that nothing moves when the content arrives. */
const LINE = '\u00A0'

export function AccessFields() {
  const { models } = useSetupControls()
  return (
    <div className="flex flex-col gap-3">
      <TokenField />
      <ChannelField />
      {models.models.map((_, column) => (
        <ModelField key={column} column={column} />
      ))}
    </div>
  )
}

function TokenField() {
  const t = useTexts(setupTexts)
  const { tokens } = useSetupControls()
  const { state, options, token } = tokens
  const nothing = { loading: t.loading, failed: t.tokensFailed, ready: t.noEnabledTokens }[state]
  const rows =
    token === undefined
      ? [{ value: '', label: nothing }]
      : options.map((each) => ({ value: String(each.id), label: tokenName(each) }))
  return (
    <Field
      label={t.token}
      aside={
        <Link to="/tokens" className={QUIET_LINK}>
          {t.manageTokens}
        </Link>
      }
      hint={
        tokens.more ? (
          <button type="button" className={`min-h-6 ${QUIET_LINK}`} onClick={tokens.lookFurther}>
            {t.moreTokens}
          </button>
        ) : undefined
      }
    >
      {(control) => (
        <Select
          {...control}
          disabled={token === undefined}
          options={rows}
          value={token?.id ?? ''}
          onChange={(event) => tokens.choose(Number(event.target.value))}
        />
      )}
    </Field>
  )
}

function ChannelField() {
  const t = useTexts(setupTexts)
  const { models } = useSetupControls()
  const { channels, channel, channelState, chooseChannel } = models
  if (channelState === 'failed') {
    return (
      <div role="status" className="bg-bad-soft text-bad flex items-center gap-2 rounded-md px-3 py-2 text-sm">
        <span className="grow">{t.channelsFailed}</span>
        <Button size="small" onClick={models.retry}>
          {t.retry}
        </Button>
      </div>
    )
  }
  return (
    <Field label={t.channel}>
      {(control) => (
        <ChoiceBox
          control={control}
          label={t.channel}
          placeholder={t.allChannels}
          options={channels.map(({ key, label, provider, models: has }) => ({
            value: key,
            label,
            description: t.channelLine(provider, models.offered.filter(({ id }) => has.has(id)).length),
          }))}
          value={channel?.key ?? ''}
          onChange={chooseChannel}
          onType={(_, found) => {
            if (found === 0) chooseChannel('')
          }}
          empty={t.noChannels}
          most={MOST_CHANNEL_SUGGESTIONS}
        />
      )}
    </Field>
  )
}

function ModelField({ column }: { column: number }) {
  const t = useTexts(setupTexts)
  const { models } = useSetupControls()
  const field = useRef<HTMLInputElement>(null)
  const label = column === 0 ? t.model : t.secondModel
  const name = models.models[column] ?? ''
  const chosen = models.options.find(({ id }) => id === name)
  useCommand({
    id: `playground.model.${column}`,
    label: column === 0 ? t.chooseModel : t.chooseSecondModel,
    group: t.group,
    keys: column === 0 ? 'm' : undefined,
    run: () => field.current?.focus(),
  })
  return (
    <Field
      label={label}
      aside={
        name !== '' && (
          <Link to="/models" search={{ model: name }} className={QUIET_LINK}>
            {t.prices}
          </Link>
        )
      }
      hint={chosen === undefined ? LINE : (channelsOf(chosen, CHOSEN_CHANNELS, t) ?? LINE)}
    >
      {(control) => (
        <ChoiceBox
          ref={field}
          control={control}
          label={label}
          placeholder={models.state === 'loading' ? t.loading : t.searchModels}
          options={models.options.map((option) => ({
            value: option.id,
            label: option.label,
            description: channelsOf(option, SUGGESTED_CHANNELS, t),
          }))}
          value={name}
          onChange={(wanted) => models.choose(column, wanted)}
          empty={t.noModels}
        />
      )}
    </Field>
  )
}

function channelsOf(
  { channels }: ModelOption,
  most: number,
  t: Pick<Translation<typeof en>, 'onChannels' | 'more'>,
): string | undefined {
  return channels.length === 0 ? undefined : t.onChannels(listedNames(channels, most, t.more))
}
