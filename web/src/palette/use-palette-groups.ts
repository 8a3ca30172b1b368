import { SEARCH_MIN_LENGTH, type Visitor } from '@gatehouse/model'
import { useLocation } from 'react-router'
import { useDefinitions } from '#layout/use-definitions.ts'
import { paletteMessages } from '#messages/palette.ts'
import { siteMessages } from '#messages/site.ts'
import { commandsFor, listsFor } from './commands.ts'
import { matchItems, type PaletteGroup, type PaletteItem } from './palette-item.ts'
import { numberField } from './record-item.ts'
import { usePages } from './use-pages.ts'
import { useRecentItems } from './use-recent-items.ts'
import { toQuery, useRecordSearch } from './use-record-search.ts'

/** Starts a text that is about actions only. */
const COMMAND = '>'

type Params = { visitor: Visitor; recordActions: PaletteItem[] }

/** What matches the text, by group; `note` says what is missing and why. */
export function usePaletteGroups(text: string, { visitor, recordActions }: Params) {
  const { definitions } = useDefinitions()
  const { pathname } = useLocation()
  const isCommand = text.startsWith(COMMAND)
  const typed = text.slice(isCommand ? COMMAND.length : 0).trim()
  // Other servers have no search.
  const hasSearch = definitions.some(({ trash }) => trash)
  const query = hasSearch && !isCommand && typed ? toQuery(typed) : null
  const search = useRecordSearch(query)
  const recent = useRecentItems(hasSearch ? visitor?.sub : undefined)
  const hasRecent = !isCommand && !typed
  const source = hasRecent
    ? { ...recent, slow: [], items: recent.items.filter((item) => !leadsTo(item, pathname)) }
    : search
  const here = { definitions, visitor, pathname }
  const { daily, others } = usePages(visitor)
  const places = [...daily.map(pageItem), ...listsFor(here), ...others.map(pageItem)]
  const groups: PaletteGroup[] = [
    {
      title: hasRecent ? paletteMessages.recent : paletteMessages.records,
      items: source.status === 'failed' ? [retryItem(source.retry)] : source.items,
    },
    {
      title: paletteMessages.do,
      items: matchItems([...recordActions, ...commandsFor(here)], typed, isCommand),
    },
    {
      title: paletteMessages.goTo,
      items: isCommand ? [] : matchItems(places, typed),
    },
  ].filter(({ items }) => items.length > 0)

  function noteOf() {
    if (source.status === 'searching')
      return hasRecent ? paletteMessages.loadingRecent : paletteMessages.searching
    if (source.status === 'failed')
      return hasRecent ? paletteMessages.recentFailed : paletteMessages.searchFailed
    if (groups.length === 0 && (query || isCommand || !hasSearch)) return paletteMessages.noMatch
    if (isCommand || hasRecent || !hasSearch) return null
    if (query === null) return paletteMessages.searchHint(SEARCH_MIN_LENGTH)
    return source.items.length === 0 ? paletteMessages.noRecords : null
  }

  return {
    groups,
    typed,
    isBusy: source.status === 'searching',
    hasFailed: source.status === 'failed',
    note: noteOf(),
    slow: source.slow.length > 0 ? paletteMessages.slow(source.slow) : null,
    hasNumbers: hasSearch && definitions.some(numberField),
  }
}

const pageItem = ({ to, label }: { to: string; label: string }): PaletteItem => ({
  key: to,
  label,
  icon: 'arrow-right',
  to,
})

const leadsTo = (item: PaletteItem, pathname: string) => 'to' in item && item.to === pathname

const retryItem = (run: () => void): PaletteItem => ({
  key: 'retry',
  label: siteMessages.tryAgain,
  icon: 'arrow-repeat',
  run,
  staysOpen: true,
})
