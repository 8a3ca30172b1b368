import type { ReactNode } from 'react'

/** Illustrations of status screens. */
export const STATUS_ILLUSTRATIONS = {
  /** Not found: a wall without a gate. */
  missing: () => (
    <svg className="illustration" viewBox="0 0 560 320" aria-hidden="true">
      <path
        className="ground"
        d="M0 132H300M0 188H300M0 96C120 96 220 60 250 0M0 224C120 224 220 260 250 320M0 66C90 66 170 44 200 0M0 254C90 254 170 276 200 320"
      />
      <path className="wall" d="M300 0H344V320H300Z" />
      <path className="floor" d="M344 0H560V320H344Z" opacity=".6" />
      <path className="room" d="M420 46H520V124H420ZM420 206H520V270H420Z" />
      <path className="route" d="M10 160H262" />
      <circle className="halt" cx="274" cy="160" r="9" />
    </svg>
  ),
  /** No access: the gate is shut. */
  shut: () => (
    <Gate>
      <path className="shut" d="M262 122V198M276 122V198" />
      <path className="shut" d="M255 141H283M255 160H283M255 179H283" strokeWidth="3" />
      <path className="route" d="M10 160H214" />
      <circle className="stop" cx="226" cy="160" r="9" />
    </Gate>
  ),
  /** Error: the wall is broken. */
  broken: () => (
    <svg className="illustration" viewBox="0 0 560 320" aria-hidden="true">
      <path className="floor" d="M0 122H560V198H0Z" opacity=".6" />
      <path className="wall" d="M0 78H220V122H0ZM340 78H560V122H340ZM0 198H560V242H0Z" />
      <path
        className="wall"
        d="M238 86l34 8-9 40-34-8zM286 128l30-12 14 34-30 12zM262 152l20 6-6 22-20-6z"
      />
      <path className="hair" strokeDasharray="4 5" d="M220 78H340M220 122H340" />
      <path className="route" d="M10 160H206" />
      <path className="route-off" d="M360 160H550" />
      <circle className="halt" cx="218" cy="160" r="9" />
    </svg>
  ),
  /** Sign-in: the gate is open. */
  open: () => (
    <Gate>
      <path className="bars" d="M262 123V197M276 123V197" />
      <path className="route" d="M10 160H540" />
      <circle className="stop" cx="160" cy="160" r="9" />
    </Gate>
  ),
}

/** Two towers; the children are drawn between them. */
const Gate = ({ children }: { children: ReactNode }) => (
  <svg className="illustration" viewBox="0 0 560 320" aria-hidden="true">
    <path className="ground" d="M0 122H150M0 198H150" />
    <GateTower />
    <g transform="translate(0 320) scale(1 -1)">
      <GateTower />
    </g>
    <path className="floor" d="M220 122H540V198H220Z" opacity=".55" />
    {children}
  </svg>
)

const GateTower = () => (
  <>
    <path
      className="wall"
      fillRule="evenodd"
      d="M540 4H220a59 59 0 0 0 0 118H540ZM222 28a35 35 0 0 0 0 70H330V28ZM354 28H516V98H354Z"
    />
    <path className="floor" d="M222 28a35 35 0 0 0 0 70H330V28ZM354 28H516V98H354Z" />
  </>
)
