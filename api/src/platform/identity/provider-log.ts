/** Re-read at every poll, because entries may be committed late; each is handled once. */
const OVERLAP_MS = 20_000
const PAGE = 1_000

/** A Keycloak user event. Only these details are read; others contain user input. */
export type UserEvent = {
  id: string
  time: number
  type: string
  userId?: string
  sessionId?: string
  error?: string
  details?: {
    credential_type?: string
    custom_required_action?: string
    /** ID of the sign-in, later of its session. */
    code_id?: string
  }
}

export type AdminEvent = {
  id: string
  time: number
  operationType: string
  resourceType: string
  resourcePath: string
  error?: string
  authDetails?: { realmId?: string; userId?: string }
  realmId?: string
}

type Provider = { read: <T>(path: string) => Promise<T | null> }

export function buildProviderLog({ read }: Provider) {
  const pages = async <T>(path: string) => {
    const all: T[] = []
    for (let page: T[] = [], first = 0; first === 0 || page.length === PAGE; first += PAGE) {
      page = (await read<T[]>(`${path}&first=${first}&max=${PAGE}`)) ?? []
      all.push(...page)
    }
    return all
  }
  return {
    /** Sign-ins and credential changes of one account that the log retains. */
    of: (sub: string) =>
      pages<UserEvent>(
        `/events?user=${sub}&type=LOGIN&type=UPDATE_PASSWORD&type=UPDATE_CREDENTIAL&direction=asc`,
      ),
    since: async (moment: number) => {
      const query = `dateFrom=${moment - OVERLAP_MS}&direction=asc`
      const [users, admins] = await Promise.all([
        pages<UserEvent>(`/events?${query}`),
        pages<AdminEvent>(`/admin-events?${query}`),
      ])
      return { users, admins }
    },
  }
}
