import { DEFAULT_PARAMETERS } from '~/features/playground/model/parameters.ts'
import { setupTexts } from '~/features/playground/texts/setup/setup-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '~/ui/button.tsx'
import { RefreshIcon } from '~/ui/icons.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { AccessFields } from './access-fields.tsx'
import { ParameterFields, SwitchRow } from './parameter-fields.tsx'
import { PresetsMenu } from './presets-menu.tsx'
import { useSetupControls } from './setup-controls.ts'
import { SystemMessageField } from './system-message-field.tsx'

/** Everything that can be set for the conversation. */
export function SetupSidebar() {
  const t = useTexts(setupTexts)
  const { parameters, change } = useSetupControls()
  return (
    <div className="flex flex-col gap-5 lg:p-4">
      <div className="flex items-center gap-1">
        <PresetsMenu />
        <Reset />
      </div>
      <AccessFields />
      <SystemMessageField />
      <section aria-label={t.parametersTitle} className="flex flex-col gap-2">
        <ParameterFields />
        <SwitchRow
          label={t.parameters.showReasoningContent}
          checked={parameters.showReasoningContent}
          onChange={(showReasoningContent) => change({ showReasoningContent })}
        />
      </section>
    </div>
  )
}

function Reset() {
  const t = useTexts(setupTexts)
  const toasts = useToasts()
  const { parameters, change } = useSetupControls()
  // A user who resets the settings does not want to reset the screen layout.
  const { focusModeEnabled } = parameters
  const reset = () => {
    change({ ...DEFAULT_PARAMETERS, focusModeEnabled })
    const action = { label: t.undo, run: () => change(parameters) }
    toasts.show({ tone: 'info', title: t.resetDone, action })
  }
  return (
    <IconButton label={t.reset} onClick={reset}>
      <RefreshIcon />
    </IconButton>
  )
}
