import { useSyncExternalStore } from 'react'
import { buildValue, type Value } from './observable.ts'

/** An external store: one value that loaders and plain functions change too. */
export function buildStore<T>(initial: T) {
  const value = buildValue(initial)
  return { ...value, use: () => useValue(value) }
}

export const useValue = <T>({ subscribe, get, getShown }: Value<T>) =>
  useSyncExternalStore(subscribe, get, getShown)
