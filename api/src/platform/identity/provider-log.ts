/** Read with every look, so that what is committed late is found; each entry counts once. */
const OVERLAP_MS = 20_000
const PAGE = 1_000

/** An entry of Keycloak's log of people. Details hold what someone typed: nothing of them is kept but these. */
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
    /** The sign-in it belongs to; later the session's id. */
    code_id?: string
  }
}

/** Of its log of administrators: that something at this path was changed, and by whom. */
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

/** Both logs, from a moment on, oldest first. */
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
    /** What the log still has of one person. */
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
