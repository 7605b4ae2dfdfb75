import { useRouter } from '@tanstack/react-router'

/** Goes to a path of the console, with the given search parameters. */
export function useGo(): (to: string, search?: Readonly<Record<string, string | number>>) => void {
  const router = useRouter()
  return (to, search = {}) => void router.navigate({ to, search })
}
