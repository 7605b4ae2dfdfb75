import { useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Button } from '~/ui/button.tsx'
import { CopyButton } from '~/ui/copy-button.tsx'
import { Field, Select } from '~/ui/field.tsx'
import { ccSwitchLink } from '../model/cc-switch-link.ts'
import { clientSetups, type SetupParts } from '../model/client-setups.ts'
import { tokenTexts } from '../texts/token-texts.ts'

/** Ready-made text for the agent, chat front end or SDK that the visitor already uses. */
export function ClientSetup({ parts }: { parts: SetupParts }) {
  const t = useTexts(tokenTexts)
  const setups = clientSetups(parts)
  const { system_name: name } = useSystemStatus()
  const [chosen, setChosen] = useState(0)
  const setup = setups[chosen]
  if (setup === undefined) return null
  const { ccSwitch: app } = setup
  return (
    <section aria-label={t.clientSetup} className="flex flex-col gap-2">
      <Field label={t.clientSetup}>
        {(control) => (
          <Select
            {...control}
            options={setups.map(({ name }, index) => ({ value: String(index), label: name }))}
            value={chosen}
            onChange={(event) => setChosen(Number(event.target.value))}
          />
        )}
      </Field>
      <div className="flex items-center justify-between gap-2">
        <span className="text-muted text-xs">{setup.file ?? t.shell}</span>
        <CopyButton text={setup.text} label={t.copySetup} wide />
      </div>
      <pre
        aria-label={setup.name}
        tabIndex={0}
        className="border-line bg-subtle overflow-x-auto rounded-md border p-3 font-mono text-xs leading-5"
      >
        {setup.text}
      </pre>
      {app !== undefined && (
        // The link has the key in it, so it exists only for as long as this takes.
        <Button grow onClick={() => window.open(ccSwitchLink(app, name, parts), '_self')}>
          {t.openInCcSwitch}
        </Button>
      )}
    </section>
  )
}
