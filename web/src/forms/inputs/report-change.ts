import type { UseFormRegisterReturn } from 'react-hook-form'

/** A composite input has no change event of its own. */
export const reportChange = ({ name, onChange }: UseFormRegisterReturn, value: string | string[]) =>
  void onChange({ target: { name, value }, type: 'change' })
