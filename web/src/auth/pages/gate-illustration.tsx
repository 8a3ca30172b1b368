import type { ReactNode } from 'react'

export const ShutGate = () => (
  <Gate>
    <path className="shut" d="M262 122V198M276 122V198" />
    <path className="shut" d="M255 141H283M255 160H283M255 179H283" strokeWidth="3" />
    <path className="route" d="M10 160H214" />
    <circle className="stop" cx="226" cy="160" r="9" />
  </Gate>
)

export const OpenGate = () => (
  <Gate>
    <path className="bars" d="M262 123V197M276 123V197" />
    <path className="route" d="M10 160H540" />
    <circle className="stop" cx="160" cy="160" r="9" />
  </Gate>
)

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
