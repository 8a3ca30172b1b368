import type { UseFormRegisterReturn } from 'react-hook-form'

/** Reports the value of a composite input to the form. */
export const reportChange = ({ name, onChange }: UseFormRegisterReturn, value: string | string[]) =>
  void onChange({ target: { name, value }, type: 'change' })
