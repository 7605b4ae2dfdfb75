import type { ComponentProps } from 'react'

type SwitchProps = Omit<ComponentProps<'input'>, 'className' | 'type' | 'role' | 'value' | 'defaultValue'>

/** For settings that take effect at once; its label is elsewhere. The browser draws it in forced-colours mode. */
export function Switch(props: SwitchProps) {
  return (
    <input
      {...props}
      type="checkbox"
      role="switch"
      className="bg-control checked:bg-accent-solid before:bg-surface relative h-6 w-10 shrink-0 cursor-pointer appearance-none rounded-full transition-colors before:absolute before:start-1 before:top-1 before:size-4 before:rounded-full before:transition-[inset-inline-start] checked:before:start-5 disabled:cursor-not-allowed disabled:opacity-55 forced-colors:appearance-auto"
    />
  )
}
