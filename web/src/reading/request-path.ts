import type { ServiceRow } from './reading-data.ts'

/** The contact form with a service: its name as the subject, its id in the ticket. */
export const requestPath = ({ id, name }: Pick<ServiceRow, 'id' | 'name'>) =>
  `/contact?${new URLSearchParams({ subject: name, service: id })}`
