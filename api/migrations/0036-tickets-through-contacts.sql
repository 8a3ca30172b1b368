ALTER TABLE "tickets" ADD COLUMN "client_via" text;

ALTER TABLE "tickets" ADD COLUMN "contact_differs" boolean;
