import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

/**
 * A mutation (its outcome in `isPending`, `data` and `error`) whose signal aborts on the next run, on `cancel` and
 * when the page is left. Only the latest run is shown. `mutate` starts one.
 */
export function useRequest<Result, Input = void>(
  run: (input: Input, signal: AbortSignal) => Promise<Result>,
) {
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])
  const mutation = useMutation({
    mutationFn: (input: Input) => {
      controller.current?.abort()
      const { signal } = (controller.current = new AbortController())
      return run(input, signal)
    },
  })
  const cancel = (): void => {
    controller.current?.abort()
    mutation.reset()
  }
  return { ...mutation, cancel }
}
