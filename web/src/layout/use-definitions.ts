import { useValue } from '#base/store.ts'
import { definitionsState } from '#data/definitions.ts'

export const useDefinitions = () => useValue(definitionsState)
