/** Keys as they are printed on a keyboard. */
export function Keys({ names }: { names: readonly string[] }) {
  return (
    <span className="flex shrink-0 gap-1">
      {names.map((name, index) => (
        <kbd
          key={index}
          className="border-line bg-subtle text-muted min-w-5 rounded border px-1 text-center font-mono text-xs leading-5"
        >
          {name}
        </kbd>
      ))}
    </span>
  )
}
