import type { UseFormRegisterReturn } from 'react-hook-form'

/** Tells the form the value of an input that is made of more than one element. */
export const change = ({ name, onChange }: UseFormRegisterReturn, value: string | string[]) =>
  void onChange({ target: { name, value }, type: 'change' })
