import type { Visitor } from '@gatehouse/model'
import { signOut } from '#auth/auth.ts'
import { nextThemeName, switchTheme } from '#boot/theme.ts'
import { canDo, nameOf, type Definition } from '#data/definitions.ts'
import { presentationOf } from '#data/presentation.ts'
import { paletteState } from '#layout/palette-state.ts'
import { paletteMessages } from '#messages/palette.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import type { PaletteItem } from './palette-item.ts'

type Here = { definitions: Definition[]; visitor: Visitor; pathname: string }

/** What may be done on any page. */
export const commandsFor = ({ definitions, visitor, pathname }: Here): PaletteItem[] => [
  ...inMenu(definitions)
    .filter((definition) => canDo(definition, 'create', visitor))
    .map((definition) => ({
      key: `create ${definition.path}`,
      label: siteMessages.create(nameOf(definition)),
      icon: 'plus-lg',
      to: `${addressOf(definition)}/create`,
    })),
  {
    key: 'theme',
    label: paletteMessages.switchTheme(nextThemeName()),
    icon: 'circle-half',
    run: switchTheme,
  },
  {
    key: 'shortcuts',
    label: paletteMessages.shortcuts,
    icon: 'keyboard',
    run: () => paletteState.set('shortcuts'),
  },
  ...(visitor
    ? [
        {
          key: 'sign-out',
          label: paletteMessages.signOut,
          alias: specifiedMessages.logout,
          icon: 'box-arrow-right',
          run: () => void signOut(pathname),
        },
      ]
    : []),
]

/** Lists of records. */
export const listsFor = ({ definitions, visitor }: Omit<Here, 'pathname'>): PaletteItem[] =>
  inMenu(definitions)
    .filter((definition) => canDo(definition, 'list', visitor))
    .map((definition) => ({
      key: addressOf(definition),
      label: definition.viewData.title,
      alias: siteMessages.list(definition.viewData.title),
      icon: { model: presentationOf(definition).icon },
      to: addressOf(definition),
    }))

const inMenu = (definitions: Definition[]) => definitions.filter(({ menu }) => menu !== false)
const addressOf = ({ path }: Definition) => `/${path.toLowerCase()}`
