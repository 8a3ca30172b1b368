ALTER TABLE "services" ADD COLUMN "price_unit" text;
