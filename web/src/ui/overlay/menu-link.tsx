import type { ReactNode } from 'react'
import { Link } from 'react-router'

type Props = { to: string; children: ReactNode; 'aria-label'?: string | undefined }

export const MenuLink = (props: Props) => <Link className="dropdown-item" {...props} />
